import type { PictureType } from './asset-type.ts'

/** Size of a picture in pixels. */
export type PictureSize = { width: number; height: number }

/** Most pixels of a picture that is decoded, which takes four bytes of memory for each. */
export const mostPixels = 40_000_000

/** Size that a picture's header says, without decoding it; undefined when the header is broken. */
export function sizeOfPicture(content: Buffer, picture: PictureType): PictureSize | undefined {
  try {
    return readers[picture](content)
  } catch (error) {
    if (error instanceof RangeError) return undefined // the header ends early
    throw error
  }
}

const readers: Record<PictureType, (content: Buffer) => PictureSize | undefined> = {
  png: (content) => ({ width: content.readUInt32BE(16), height: content.readUInt32BE(20) }),
  gif: (content) => ({ width: content.readUInt16LE(6), height: content.readUInt16LE(8) }),
  jpeg: jpegSize,
  webp: webpSize,
  avif: avifSize,
}

/** Markers of JPEG that begin a frame (ITU-T T.81, table B.1): C0 to CF without C4, C8 and CC. */
const isFrame = (marker: number) =>
  marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)

function jpegSize(content: Buffer): PictureSize | undefined {
  for (let at = 2; at + 4 <= content.length;) {
    if (content[at] !== 0xff) return undefined
    const marker = content.readUInt8(at + 1)
    if (marker === 0xff) at += 1
    else if (isFrame(marker))
      return { height: content.readUInt16BE(at + 5), width: content.readUInt16BE(at + 7) }
    else at += 2 + content.readUInt16BE(at + 2)
  }
  return undefined
}

/** Size of the canvas, or of the only picture (RFC 9649, sections 2.5 to 2.7). */
function webpSize(content: Buffer): PictureSize | undefined {
  const chunk = content.subarray(12, 16).toString('latin1')
  if (chunk === 'VP8X')
    return { width: content.readUIntLE(24, 3) + 1, height: content.readUIntLE(27, 3) + 1 }
  if (chunk === 'VP8L') {
    const bits = content.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
  }
  if (chunk !== 'VP8 ') return undefined
  return { width: content.readUInt16LE(26) & 0x3fff, height: content.readUInt16LE(28) & 0x3fff }
}

/** Boxes `ispe` that are read at most: a picture of tiles has one for all tiles and one for the whole. */
const mostBoxes = 64

/** Largest extent that the file declares (ISO/IEC 23008-12, box `ispe`), tiles included. */
function avifSize(content: Buffer): PictureSize | undefined {
  let largest: PictureSize | undefined
  let at = content.indexOf('ispe')
  for (let n = 0; at !== -1 && n < mostBoxes; n += 1) {
    const size = { width: content.readUInt32BE(at + 8), height: content.readUInt32BE(at + 12) }
    if (!largest || size.width * size.height > largest.width * largest.height) largest = size
    at = content.indexOf('ispe', at + 4)
  }
  return largest
}
