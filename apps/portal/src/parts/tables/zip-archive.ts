import { Inflate, strFromU8, type UnzipFileInfo, unzipSync } from 'fflate'

/** File of an archive, still packed: stored (0) or deflated (8). */
type ZipEntry = { packed: Uint8Array; method: number }

/** Fault of an archive: its bytes are not those of one, or it unpacks to more than is read. */
export class ZipFault extends Error {
  readonly reason: 'broken' | 'tooLarge'
  constructor(reason: 'broken' | 'tooLarge') {
    super(`the archive is ${reason}`)
    this.reason = reason
  }
}

/** Packed bytes that are unpacked at once: 17 MB at most, as deflate shortens to a thousandth. */
const pieceLength = 16_384
const mostEntries = 10_000
const longestName = 1_000

/** Entries of an archive by their name, as its directory lists them. */
export function openArchive(bytes: Uint8Array): Map<string, ZipEntry> {
  const entries = new Map<string, ZipEntry>()
  let at = 0
  for (const { name, size, compression } of listEntries(bytes)) {
    const start = contentOf(bytes, name, at)
    at = start + size
    if (at > bytes.length) throw new ZipFault('broken')
    entries.set(name, { packed: bytes.subarray(start, at), method: compression })
  }
  return entries
}

/** The directory of an archive; nothing is unpacked. */
function listEntries(bytes: Uint8Array) {
  const found: UnzipFileInfo[] = []
  try {
    unzipSync(bytes, {
      filter(file) {
        if (found.length >= mostEntries) throw new ZipFault('tooLarge')
        if (file.name.length > longestName) throw new ZipFault('broken')
        found.push(file)
        return false
      },
    })
  } catch (cause) {
    throw faultOf(cause)
  }
  return found
}

/**
 * Beginning of an entry's content, behind its own header, which fflate does not tell. Headers have
 * the order of the directory.
 */
function contentOf(bytes: Uint8Array, name: string, from: number) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = bytes.indexOf(0x50, from); at !== -1; at = bytes.indexOf(0x50, at + 1)) {
    if (at + 30 > bytes.length) break
    if (view.getUint32(at, true) !== 0x04_03_4b_50) continue
    const isUtf8 = (view.getUint16(at + 6, true) & 0x800) !== 0
    const nameEnd = at + 30 + view.getUint16(at + 26, true)
    if (nameEnd > at + 30 + 4 * name.length) continue
    if (strFromU8(bytes.subarray(at + 30, nameEnd), !isUtf8) !== name) continue
    return nameEnd + view.getUint16(at + 28, true)
  }
  throw new ZipFault('broken')
}

/** Unpacks an entry and passes its text on in pieces, up to a limit of bytes. */
export function readEntry(
  { packed, method }: ZipEntry,
  mostBytes: number,
  take: (text: string) => void,
) {
  const decoder = new TextDecoder()
  let length = 0
  const takeBytes = (bytes: Uint8Array, isLast: boolean) => {
    length += bytes.length
    if (length > mostBytes) throw new ZipFault('tooLarge')
    take(decoder.decode(bytes, { stream: !isLast }))
  }
  if (method === 0) return takeBytes(packed, true)
  if (method !== 8) throw new ZipFault('broken')
  const inflate = new Inflate(takeBytes)
  try {
    for (let at = 0; at < packed.length; at += pieceLength) {
      inflate.push(packed.subarray(at, at + pieceLength), at + pieceLength >= packed.length)
    }
  } catch (cause) {
    throw faultOf(cause)
  }
}

/** Errors of fflate have numbers; others are passed on as they are. */
const faultOf = (cause: unknown) =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'number'
    ? new ZipFault('broken')
    : cause
