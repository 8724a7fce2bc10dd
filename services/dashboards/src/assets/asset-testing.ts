import { Transformer } from '@napi-rs/image'
import { crc32, deflateSync } from 'node:zlib'

const chunk = (type: string, data: Buffer) => {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  check.writeUInt32BE(crc32(named))
  return Buffer.concat([length, named, check])
}

/** Gray PNG of a declared size, with the pixels that are given or a black picture. */
export function grayPng(width: number, height: number, pixels?: Buffer) {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width)
  header.writeUInt32BE(height, 4)
  header[8] = 8
  const data = deflateSync(pixels ?? Buffer.alloc((width + 1) * height))
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', data),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

/** Picture of one color in the formats that an encoder is there for. */
export const colored = async (width: number, height: number) => {
  const pixels = Buffer.alloc(width * height * 4, Buffer.from([200, 80, 40, 255]))
  const of = () => Transformer.fromRgbaPixels(pixels, width, height)
  return {
    png: await of().png(),
    // A JPEG has no transparency, and is encoded from what a PNG shows.
    jpeg: await of().jpeg(),
    webp: await of().webp(),
    avif: await of().avif({ speed: 10 }),
  }
}

const colors = [255, 0, 0, 0, 0, 255, 0, 255, 0, 0, 0, 0]

/** GIF of colors 0 to 3 (red, blue, green, transparent), with a second, empty picture that is not shown. */
export function gifOf(width: number, height: number, indexes: readonly number[]) {
  const size = [width & 255, width >> 8, height & 255, height >> 8]
  const control = [0x21, 0xf9, 4, 1, 0, 0, 3, 0]
  const picture = (of: readonly number[]) => [0x2c, 0, 0, 0, 0, ...size, 0, 2, ...blocksOf(lzw(of))]
  return Buffer.from([
    ...Buffer.from('GIF89a', 'latin1'),
    ...size,
    0x81,
    0,
    0,
    ...colors,
    ...control,
    ...picture(indexes),
    ...control,
    ...picture(indexes.map(() => 0)),
    0x3b,
  ])
}

function blocksOf(bytes: readonly number[]) {
  const blocks: number[] = []
  for (let at = 0; at < bytes.length; at += 255) {
    const block = bytes.slice(at, at + 255)
    blocks.push(block.length, ...block)
  }
  return [...blocks, 0]
}

/** Codes of LZW from 3 to 12 bits; a full table stays as it is. */
function lzw(indexes: readonly number[]) {
  const bytes: number[] = []
  const codes = new Map(['0', '1', '2', '3'].map((text, code) => [text, code]))
  let [next, width, held, bits, text] = [6, 3, 0, 0, '']
  const write = (code: number) => {
    held |= code << bits
    for (bits += width; bits >= 8; bits -= 8, held >>>= 8) bytes.push(held & 255)
  }
  write(4)
  for (const index of indexes) {
    if (codes.has(text + index)) {
      text += index
      continue
    }
    write(codes.get(text) ?? 0)
    if (next < 4_096) {
      codes.set(text + index, next)
      if (next === 2 ** width && width < 12) width += 1
      next += 1
    }
    text = String(index)
  }
  write(codes.get(text) ?? 0)
  write(5)
  return [...bytes, held & 255]
}
