/** How the bytes of a file are letters. */
export const encodings = ['auto', 'utf-8', 'windows-1252', 'utf-16le'] as const
export type Encoding = (typeof encodings)[number]

/** The text of a file; `auto` is UTF-8 or UTF-16 by its mark, else what spreadsheets of the West write. */
export async function textOf(file: Blob, encoding: Encoding) {
  const bytes = new Uint8Array(await file.arrayBuffer())
  if (encoding !== 'auto') return new TextDecoder(encoding).decode(bytes)
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder('utf-16le').decode(bytes)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes) // not UTF-8
  }
}
