/** A file inside of a zip archive, still packed. */
type ZipEntry = { packed: Uint8Array<ArrayBuffer>; method: number; size: number }
/** Why an archive cannot be read. */
export class ZipFault extends Error {
  readonly reason: 'broken' | 'tooLarge'
  constructor(reason: 'broken' | 'tooLarge') {
    super(`the archive is ${reason}`)
    this.reason = reason
  }
}

const endMark = 0x06_05_4b_50
const entryMark = 0x02_01_4b_50
const localMark = 0x04_03_4b_50
const endLength = 22
const longestComment = 65_535
const mostEntries = 10_000

/** Entries of an archive by name, from the directory at its end. */
export function zipEntries(bytes: Uint8Array<ArrayBuffer>): Map<string, ZipEntry> {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  try {
    return listed(bytes, view)
  } catch (cause) {
    if (cause instanceof RangeError) throw new ZipFault('broken') // a place beyond its end
    throw cause
  }
}

function listed(bytes: Uint8Array<ArrayBuffer>, view: DataView) {
  const end = endOf(view)
  const count = view.getUint16(end + 10, true)
  if (count > mostEntries) throw new ZipFault('tooLarge')
  const found = new Map<string, ZipEntry>()
  let at = view.getUint32(end + 16, true)
  for (let index = 0; index < count; index += 1) {
    if (view.getUint32(at, true) !== entryMark) throw new ZipFault('broken')
    const [nameLength, moreLength, commentLength] = [28, 30, 32].map((offset) =>
      view.getUint16(at + offset, true),
    ) as [number, number, number] // of three offsets
    const name = new TextDecoder().decode(bytes.subarray(at + 46, at + 46 + nameLength))
    const packedSize = view.getUint32(at + 20, true)
    const from = contentAt(view, view.getUint32(at + 42, true))
    if (from + packedSize > bytes.length) throw new ZipFault('broken')
    found.set(name, {
      packed: bytes.subarray(from, from + packedSize),
      method: view.getUint16(at + 10, true),
      size: view.getUint32(at + 24, true),
    })
    at += 46 + nameLength + moreLength + commentLength
  }
  return found
}

function endOf(view: DataView) {
  const least = Math.max(0, view.byteLength - endLength - longestComment)
  for (let at = view.byteLength - endLength; at >= least; at -= 1) {
    if (view.getUint32(at, true) === endMark) return at
  }
  throw new ZipFault('broken')
}

/** Names and extras stand before the content, with lengths of their own. */
function contentAt(view: DataView, at: number) {
  if (view.getUint32(at, true) !== localMark) throw new ZipFault('broken')
  return at + 30 + view.getUint16(at + 26, true) + view.getUint16(at + 28, true)
}

/** The text of an entry; one that would become larger than `most` bytes is not unpacked further. */
export async function entryText({ packed, method, size }: ZipEntry, most: number) {
  if (size > most) throw new ZipFault('tooLarge')
  if (method === 0) return new TextDecoder().decode(packed)
  if (method !== 8) throw new ZipFault('broken')
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('deflate-raw'))
  const reader = unpacked.getReader()
  const decoder = new TextDecoder()
  let [text, read] = ['', 0]
  for (;;) {
    const { done, value } = await reader.read().catch(() => {
      throw new ZipFault('broken') // what is packed does not unpack
    })
    if (done) return text + decoder.decode()
    read += value.byteLength
    if (read > most) {
      await reader.cancel()
      throw new ZipFault('tooLarge')
    }
    text += decoder.decode(value, { stream: true })
  }
}
