const idBytes = 22

/** File of devices for the servers: the id of each, and its certificate with its length. */
export const writeDevices = (devices: readonly { id: string; certificate: Buffer }[]) =>
  Buffer.concat(
    devices.flatMap(({ id, certificate }) => {
      const size = Buffer.alloc(2)
      size.writeUInt16BE(certificate.length)
      return [Buffer.from(id), size, certificate]
    }),
  )

/** Device of a file by its number, with an address of its own. */
export function readDevices(bytes: Buffer) {
  const places: number[] = []
  for (let at = 0; at < bytes.length; at += idBytes + 2 + bytes.readUInt16BE(at + idBytes))
    places.push(at)
  return (device: number) => {
    const at = places[device]
    if (at === undefined) throw new Error(`no device ${device}`)
    const from = at + idBytes + 2
    return {
      id: bytes.toString('utf8', at, at + idBytes),
      certificate: bytes.subarray(from, from + bytes.readUInt16BE(from - 2)),
      ip: `10.${(device >> 16) & 255}.${(device >> 8) & 255}.${device & 255}`,
    }
  }
}
