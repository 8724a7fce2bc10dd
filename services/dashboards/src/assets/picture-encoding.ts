import { readFile, writeFile } from 'node:fs/promises'
import { ResizeFilterType, ResizeFit, Transformer } from '@napi-rs/image'
import type { PictureType } from './asset-type.ts'
import { firstGifPicture } from './gif-picture.ts'
import { mostPixels, type PictureSize, sizeOfPicture } from './picture-size.ts'

/** Longest side in pixels of a picture that is kept, and of its preview. */
export const longestSide = { picture: 4_096, preview: 320 } as const

const quality = { picture: 85, preview: 75 } as const

export type EncodedPicture =
  | PictureSize
  | { refused: 'broken' }
  | ({ refused: 'too_large' } & PictureSize)

/**
 * Writes a picture anew as WebP, and a small one beside it, so that nothing of the file but its
 * pixels is kept. A task for a thread; a picture that cannot be decoded is `broken`.
 */
export async function encodePicture(
  source: string,
  picture: PictureType,
  into: { picture: string; preview: string },
): Promise<EncodedPicture> {
  const content = await readFile(source)
  const size = sizeOfPicture(content, picture)
  if (!size || size.width < 1 || size.height < 1) return { refused: 'broken' }
  if (size.width * size.height > mostPixels) return { refused: 'too_large', ...size }
  try {
    const kept = await scaled(decoded(content, picture), size, longestSide.picture)
    const preview = await scaled(new Transformer(kept), size, longestSide.preview, 'preview')
    await Promise.all([writeFile(into.picture, kept), writeFile(into.preview, preview)])
    return sizeOfPicture(kept, 'webp') ?? { refused: 'broken' }
  } catch (error) {
    if (isDecoding(error)) return { refused: 'broken' }
    throw error
  }
}

/** Pixels of a picture, turned as its camera was held. */
function decoded(content: Buffer, picture: PictureType) {
  if (picture !== 'gif') return new Transformer(content).rotate()
  const first = firstGifPicture(content)
  if (!first) throw new RangeError('the GIF has no picture')
  return Transformer.fromRgbaPixels(first.pixels, first.width, first.height)
}

function scaled(
  picture: Transformer,
  { width, height }: PictureSize,
  longest: number,
  as: keyof typeof quality = 'picture',
) {
  if (Math.max(width, height) > longest) {
    const [filter, fit] = [ResizeFilterType.Triangle, ResizeFit.Inside]
    picture.resize({ width: longest, height: longest, filter, fit })
  }
  return picture.webp(quality[as])
}

/** Error of a decoder: those of the library have a code of their own, broken lengths are out of range. */
const isDecoding = (error: unknown) =>
  error instanceof RangeError ||
  (error instanceof Error &&
    'code' in error &&
    ['GenericFailure', 'InvalidArg'].includes(String(error.code)))
