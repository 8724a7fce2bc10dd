/** Columns and rows of the grid of geohashes of a length, as powers of two. */
export const hashBits = (length: number) => ({
  lon: Math.ceil((5 * length) / 2),
  lat: Math.floor((5 * length) / 2),
})

const letters = '0123456789bcdefghjkmnpqrstuvwxyz'

/**
 * The geohash of a cell, its column counted from 180 degrees west and its row from the south pole:
 * bits of both in turn, longitude first, five to a letter (G. Niemeyer 2008).
 */
export function geohash(column: number, row: number, length: number) {
  const { lon, lat } = hashBits(length)
  let text = ''
  let letter = 0
  for (let bit = 0; bit < 5 * length; bit++) {
    const left = bit >> 1
    const one =
      bit % 2 === 0
        ? Math.floor(column / 2 ** (lon - 1 - left)) % 2
        : Math.floor(row / 2 ** (lat - 1 - left)) % 2
    letter = letter * 2 + one
    if (bit % 5 === 4) {
      text += letters[letter]
      letter = 0
    }
  }
  return text
}

/** The key of a map tile: `zoom/column/row`, counted from the left and from the top. */
export const tileKey = (column: number, row: number, zoom: number) => `${zoom}/${column}/${row}`
