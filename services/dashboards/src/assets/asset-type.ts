import { endingOf } from './asset-name-contract.ts'

/** Media types of pictures that are decoded, by their names in names of files. */
const pictureTypes = ['png', 'jpeg', 'webp', 'avif', 'gif'] as const
export type PictureType = (typeof pictureTypes)[number]

/** Type of a file by its content: a picture to be decoded, a drawing, or a file that is kept as it is. */
type ContentType =
  | { kind: 'picture'; picture: PictureType }
  | { kind: 'svg' }
  | { kind: 'file'; type: string }

const textTypes: Record<string, string> = {
  csv: 'text/csv',
  txt: 'text/plain',
  md: 'text/markdown',
}

/** Bytes from the beginning of a file that are enough to tell its type. */
export const headBytes = 4_096

/**
 * Type of a file by the bytes it begins with; the ending of its name only chooses between kinds of text.
 * Undefined for anything else, and for a file that is not what its name says.
 */
export function typeOfContent(head: Buffer, name: string): ContentType | undefined {
  const ending = endingOf(name)
  const picture = pictureOf(head)
  // A picture under the ending of another one is common, and is written anew anyway.
  if (picture) return isPictureEnding(ending) ? { kind: 'picture', picture } : undefined
  if (isPdf(head)) return ending === 'pdf' ? { kind: 'file', type: 'application/pdf' } : undefined
  if (isMp4(head)) return ending === 'mp4' ? { kind: 'file', type: 'video/mp4' } : undefined
  if (hasControls(head)) return undefined
  if (ending === 'svg') return { kind: 'svg' }
  const type = textTypes[ending]
  return type === undefined ? undefined : { kind: 'file', type }
}

const isPictureEnding = (ending: string) =>
  ending === 'jpg' || pictureTypes.some((type) => type === ending)

const isText = (head: Buffer, at: number, text: string) =>
  head.subarray(at, at + text.length).toString('latin1') === text

function pictureOf(head: Buffer): PictureType | undefined {
  if (isText(head, 0, '\x89PNG\r\n\x1a\n')) return 'png'
  if (isText(head, 0, '\xff\xd8\xff')) return 'jpeg'
  if (isText(head, 0, 'GIF87a') || isText(head, 0, 'GIF89a')) return 'gif'
  if (isText(head, 0, 'RIFF') && isText(head, 8, 'WEBP')) return 'webp'
  return isText(head, 4, 'ftyp') && brandsOf(head).some((brand) => /^avi[fs]$/.test(brand))
    ? 'avif'
    : undefined
}

const isPdf = (head: Buffer) => isText(head, 0, '%PDF-')

const isMp4 = (head: Buffer) =>
  isText(head, 4, 'ftyp') &&
  brandsOf(head).some((brand) => /^(iso[m2-9]|mp4[12]|avc1|M4V |dash)$/.test(brand))

/** Brands of an ISO base media file (ISO/IEC 14496-12, box `ftyp`). */
function brandsOf(head: Buffer) {
  if (head.length < 16) return []
  const end = Math.min(head.readUInt32BE(0), head.length, 128)
  const brands = [head.subarray(8, 12).toString('latin1')]
  for (let at = 16; at + 4 <= end; at += 4)
    brands.push(head.subarray(at, at + 4).toString('latin1'))
  return brands
}

/** Characters that no text has, such as NUL. */
// oxlint-disable-next-line no-control-regex -- these characters are searched for
const hasControls = (head: Buffer) => /[\0-\x08\x0b\x0e-\x1f\x7f]/.test(head.toString('latin1'))

/** Check of a whole text, chunk by chunk: valid UTF-8 without control characters. */
export function createTextCheck() {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  return (chunk: Buffer, isLast: boolean) => {
    if (hasControls(chunk)) return false
    try {
      decoder.decode(chunk, { stream: !isLast })
      return true
    } catch {
      return false // the decoder refuses bytes that are no UTF-8
    }
  }
}
