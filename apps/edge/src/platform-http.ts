import http from 'node:http'
import https from 'node:https'
import tls from 'node:tls'
import { z } from 'zod'
import { messageOf } from './retry.ts'

type HttpRequest = {
  url: URL
  /** PEM of an authority to trust besides the system's. */
  ca?: string | undefined
  token?: string
  /** Body, sent as JSON by POST. */
  body?: unknown
  /** Largest answer in bytes. */
  longest?: number
  signal: AbortSignal
}

/** Error for an unexpected answer of the platform. */
export class HttpError extends Error {
  readonly status: number
  constructor(status: number, message: string) {
    super(message)
    this.status = status
  }
}

const timeoutMs = 15_000
const usuallyLongest = 1024 * 1024
const Refusal = z.object({ message: z.string() })

/** Text of a 2xx answer. Throws an error with the address and the reason otherwise. */
export const request = async (asked: HttpRequest): Promise<string> =>
  (await requestBytes(asked)).toString()

/** Bytes of a 2xx answer. Throws an error with the address and the reason otherwise. */
export async function requestBytes({
  url,
  ca,
  token,
  body,
  signal,
  longest = usuallyLongest,
}: HttpRequest): Promise<Buffer> {
  const where = `${url.origin}${url.pathname}`
  const text = body === undefined ? undefined : JSON.stringify(body)
  const headers = headersOf(token, text)
  const options = {
    method: text === undefined ? 'GET' : 'POST',
    headers,
    signal,
    timeout: timeoutMs,
    ...(ca !== undefined && { ca: [...tls.rootCertificates, ca] }),
  }
  const { promise, resolve, reject } = Promise.withResolvers<http.IncomingMessage>()
  const call = (url.protocol === 'https:' ? https : http).request(url, options, resolve)
  call.on('error', reject)
  call.on('timeout', () => call.destroy(new Error(`no answer in ${timeoutMs / 1_000} s`)))
  call.end(text)
  try {
    const response = await promise
    const answer = await readBytes(response, longest)
    const { statusCode: status = 0 } = response
    if (status >= 200 && status < 300) return answer
    throw new HttpError(status, `${where} answers ${status}: ${reasonOf(answer.toString())}`)
  } catch (error) {
    if (error instanceof HttpError) throw error
    throw new Error(`${where} cannot be reached: ${messageOf(error)}`, { cause: error })
  }
}

const headersOf = (token: string | undefined, text: string | undefined) => ({
  accept: 'application/json',
  ...(token !== undefined && { authorization: `Bearer ${token}` }),
  ...(text !== undefined && {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  }),
})

async function readBytes(response: http.IncomingMessage, longest: number) {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response) {
    const bytes = chunk as Buffer // no encoding is set: the stream gives buffers
    size += bytes.length
    if (size > longest) throw new Error('the answer is too long')
    chunks.push(bytes)
  }
  return Buffer.concat(chunks)
}

function reasonOf(answer: string) {
  try {
    return Refusal.parse(JSON.parse(answer)).message
  } catch {
    return answer.slice(0, 200) // not the platform's error body, so its beginning is shown
  }
}
