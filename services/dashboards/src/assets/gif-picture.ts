import { decodeLzw } from './lzw-decoding.ts'

/** First picture of a GIF on its canvas: four bytes for each pixel, in the order R, G, B, A. */
type GifPicture = { width: number; height: number; pixels: Buffer }

/**
 * First picture of a GIF (version 89a of its specification); later ones and their times are left out.
 * Undefined when there is none or its codes are wrong, a RangeError when it ends early. The size is to be checked
 * before.
 */
export function firstGifPicture(content: Buffer): GifPicture | undefined {
  const [width, height] = [content.readUInt16LE(6), content.readUInt16LE(8)]
  const flags = content.readUInt8(10)
  const global = colorsAt(content, 13, flags)
  const found = findPicture(content, 13 + global.length)
  if (!found) return undefined
  const { at, transparent } = found
  const [left, top] = [content.readUInt16LE(at + 1), content.readUInt16LE(at + 3)]
  const [wide, high] = [content.readUInt16LE(at + 5), content.readUInt16LE(at + 7)]
  if (left + wide > width || top + high > height) return undefined
  const own = content.readUInt8(at + 9)
  const local = colorsAt(content, at + 10, own)
  const colors = local.length > 0 ? local : global
  const data = at + 10 + local.length
  const indexes = decodeLzw(blocksAt(content, data + 1), content.readUInt8(data), wide * high)
  if (!indexes) return undefined
  const pixels = Buffer.alloc(width * height * 4)
  const rows = (own & 0x40) === 0 ? straightRows(high) : interlacedRows(high)
  for (const [line, row] of rows.entries()) {
    for (let x = 0; x < wide; x += 1) {
      const index = indexes[line * wide + x] ?? 0
      if (index === transparent) continue
      const to = ((top + row) * width + left + x) * 4
      colors.copy(pixels, to, index * 3, index * 3 + 3)
      pixels[to + 3] = 255
    }
  }
  return { width, height, pixels }
}

/** Color table, three bytes for each color; empty when the flags say that there is none. */
const colorsAt = (content: Buffer, at: number, flags: number) =>
  (flags & 0x80) === 0
    ? content.subarray(0, 0)
    : content.subarray(at, at + 3 * 2 ** ((flags & 7) + 1))

/** Place of the first image descriptor, and the color that is transparent in it. */
function findPicture(content: Buffer, start: number) {
  let transparent = -1
  for (let at = start; at < content.length;) {
    const block = content[at]
    if (block === 0x2c) return { at, transparent }
    if (block !== 0x21) return undefined
    // The graphic control extension says which color is transparent.
    if (content[at + 1] === 0xf9)
      transparent = (content.readUInt8(at + 3) & 1) === 1 ? content.readUInt8(at + 6) : -1
    at += 2
    for (let size = content[at] ?? 0; size > 0; size = content[at] ?? 0) at += size + 1
    at += 1
  }
  return undefined
}

/** Bytes of the blocks that begin at a place, until an empty one. */
function blocksAt(content: Buffer, start: number) {
  const blocks: Buffer[] = []
  for (let at = start, size = content[at] ?? 0; size > 0; at += size + 1, size = content[at] ?? 0)
    blocks.push(content.subarray(at + 1, at + 1 + size))
  return Buffer.concat(blocks)
}

const straightRows = (high: number) => Array.from({ length: high }, (_, row) => row)

/** Rows in the order of an interlaced picture: each 8th, the 8th between, the 4th, the 2nd. */
const interlacedRows = (high: number) =>
  [
    [0, 8],
    [4, 8],
    [2, 4],
    [1, 2],
  ].flatMap(([from = 0, step = 1]) => straightRows(high).filter((row) => row % step === from))
