// Each value of a run says which device it is of, and whether the device sent it or was to take it.

const perDevice = 10_000_000
const firstWritten = 1_000_000_000_000

/** The `n`th value that a device sends. */
export const sentValue = (device: number, n: number) => device * perDevice + n
/** The `n`th value that people write to a device. */
export const writtenValue = (device: number, n: number) => firstWritten + sentValue(device, n)
/** Number of the device that a value is of. */
export const deviceOfValue = (v: number) => Math.floor((v % firstWritten) / perDevice)
export const isWritten = (v: number) => v >= firstWritten
