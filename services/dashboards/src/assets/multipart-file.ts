import { invalidUpload } from './asset-failures.ts'

/** Most bytes of the headers of a part. */
const mostHeaders = 8_192

type Write = (piece: Buffer) => Promise<void> | void

const cutOff = () => invalidUpload('The upload ended before its file did. Send it again.')

/** Reader of a stream up to marks in it; only what may be the beginning of a mark is held. */
function createReader(source: AsyncIterable<Buffer>, begin: Buffer) {
  const pieces = source[Symbol.asyncIterator]()
  let held = begin
  const more = async () => {
    const next = await pieces.next()
    if (next.done === true) throw cutOff()
    held = held.length === 0 ? next.value : Buffer.concat([held, next.value])
  }
  return {
    /** Hands over everything up to a mark, which is read too. */
    async until(mark: Buffer, write: Write) {
      for (;;) {
        const at = held.indexOf(mark)
        const end = at === -1 ? Math.max(held.length - mark.length + 1, 0) : at
        if (end > 0) await write(held.subarray(0, end))
        held = held.subarray(at === -1 ? end : end + mark.length)
        if (at !== -1) return
        await more()
      }
    },
    async take(bytes: number) {
      while (held.length < bytes) await more()
      const taken = held.subarray(0, bytes)
      held = held.subarray(bytes)
      return taken
    },
  }
}

/** Boundary of a body in multipart/form-data (RFC 7578, RFC 2046 section 5.1.1). */
export function boundaryOf(contentType: string) {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(contentType) ?? []
  const boundary = quoted ?? plain
  if (boundary === undefined)
    throw invalidUpload('The content type has no boundary.', 'content-type')
  return boundary
}

/** Hands over the content of the only file of a body in multipart/form-data; fields beside it are skipped. */
export async function readOneFile(source: AsyncIterable<Buffer>, boundary: string, write: Write) {
  const mark = Buffer.from(`\r\n--${boundary}`)
  const reader = createReader(source, Buffer.from('\r\n'))
  const skip = () => undefined
  let files = 0
  await reader.until(mark, skip)
  for (;;) {
    const end = (await reader.take(2)).toString('latin1')
    if (end === '--') break
    if (end !== '\r\n')
      throw invalidUpload('A part of the body does not begin with a line of its own.')
    const isFile = /^content-disposition:[^\r\n]*;\s*filename\*?=/im.test(await headersOf(reader))
    if (isFile) files += 1
    if (files > 1) throw invalidUpload('The body has several files. Send one at a time.')
    await reader.until(mark, isFile ? write : skip)
  }
  if (files === 0) throw invalidUpload('The body has no file: a part with a file name is expected.')
}

async function headersOf(reader: ReturnType<typeof createReader>) {
  let headers = ''
  // The line before is read already; a part may have no headers at all.
  await reader.until(Buffer.from('\r\n\r\n'), (piece) => {
    headers += piece.toString('latin1')
    if (headers.length > mostHeaders) throw invalidUpload('The headers of a part are too long.')
  })
  return headers
}
