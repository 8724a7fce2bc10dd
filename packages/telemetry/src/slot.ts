/** 256 neighbouring series make a slot: a bundle of them fills its pages well and is unpacked in 0.1 ms. */
export const slotBits = 8
/**
 * Slot of a series, in front of the key of every table with values. Ids are given by device in runs of 4 to 32,
 * so a device's values mostly lie in one slot.
 */
export const slotOf = (series: number) => series >> slotBits

/** 32 series share a row of newest values: it is small enough to be read and written as a whole. */
export const placeBits = 5
/** Row of a series among the newest values. */
export const placeOf = (series: number) => series >> placeBits
