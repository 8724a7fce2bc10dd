/** The text of a file: UTF-8, or what spreadsheets of the West write when they do not say. */
export async function textOf(file: Blob) {
  const bytes = await file.arrayBuffer()
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes) // not UTF-8
  }
}
