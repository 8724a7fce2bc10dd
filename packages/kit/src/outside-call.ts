import http from 'node:http'
import https from 'node:https'
import type { LookupFunction } from 'node:net'
import {
  badHeader,
  literalOf,
  mayCall,
  notPublic,
  type OutsideRefusal,
  type OutsideSettings,
  readOutsideUrl,
} from './outside-address.ts'
import { type Address, createNameLookup } from './outside-names.ts'

export type OutsideRequest = {
  /** Address that a person gave. */
  url: string
  method?: 'POST' | 'PUT' | 'GET' | 'PATCH' | 'DELETE'
  headers?: Record<string, string>
  body?: string | Uint8Array
}

/** Answer with any status; redirects are answers too. */
type Answer = {
  kind: 'answer'
  status: number
  headers: Record<string, string>
  text: string
  /** The text goes on, or its rest did not come in time. */
  isCut: boolean
}
type Failed = { kind: 'failed'; reason: keyof typeof failures; message: string }

/** Result of a call: an answer, a refusal before anything was sent, or a failure. */
type OutsideResult = (Answer | ({ kind: 'refused' } & OutsideRefusal) | Failed) & {
  ms: number
}

const failures = {
  name_not_found: 'The name of the server was not found',
  unreachable: 'The server could not be reached',
  tls: 'The server has no valid certificate, or speaks no TLS',
  timed_out: 'The server did not answer in time',
  bad_answer: 'The server did not answer in HTTP',
  closed: 'The server closed the connection without an answer',
}

type Options = {
  /** Look-up of all addresses of a name. */
  resolve?: (hostname: string) => Promise<Address[]>
  /** Certificate authority in place of the public ones, in PEM. */
  ca?: string
  /** Milliseconds for a call, from the look-up to the end of the answer. */
  limitMs?: number
}

/**
 * Caller of addresses that people give, such as those of webhooks. It reaches only what is public, or in a network
 * of the settings: a name is looked up once, all its addresses are checked, and the connection goes to one
 * of these.
 */
export function createOutsideCaller(
  settings: OutsideSettings = { http: false, networks: [] },
  options: Options = {},
) {
  // A look-up is made for a name only: it reads the settings of the system.
  const { resolve = (name: string) => createNameLookup()(name), ca, limitMs = 10_000 } = options
  return {
    /** Refusal of a request that a person wants to keep, without a look-up; undefined when it is good. */
    refusalOf({ url, headers = {} }: Pick<OutsideRequest, 'url' | 'headers'>) {
      const read = readOutsideUrl(url, settings)
      return 'refusal' in read ? read.refusal : badHeader(headers)
    },

    async call(request: OutsideRequest): Promise<OutsideResult> {
      const begun = performance.now()
      const { promise: late, resolve: end } = Promise.withResolvers<void>()
      const timer = setTimeout(end, limitMs)
      const result = await judged(request, late).finally(() => clearTimeout(timer))
      return { ...result, ms: Math.round(performance.now() - begun) }
    },
  }

  async function judged(request: OutsideRequest, late: Promise<void>) {
    const read = readOutsideUrl(request.url, settings)
    if ('refusal' in read) return { kind: 'refused' as const, ...read.refusal }
    const refusal = badHeader(request.headers ?? {})
    if (refusal) return { kind: 'refused' as const, ...refusal }
    const found = await Promise.race([addressesOf(read.url), late.then(() => failed('timed_out'))])
    if ('kind' in found) return found
    if (!found.every(({ address }) => mayCall(address, settings))) {
      return { kind: 'refused' as const, ...notPublic.refusal }
    }
    return sendTo(read.url, { request, addresses: found, ca, late })
  }

  async function addressesOf(url: URL): Promise<Address[] | Failed> {
    if (literalOf(url) !== undefined) return []
    try {
      const found = await resolve(url.hostname)
      return found.length > 0 ? found : failed('name_not_found')
    } catch (error) {
      return failed('name_not_found', error)
    }
  }
}

function failed(reason: keyof typeof failures, cause?: unknown): Failed {
  const { code } = (cause ?? {}) as { code?: unknown } // errors of Node have a code
  const message = `${failures[reason]}${typeof code === 'string' ? ` (${code})` : ''}`
  return { kind: 'failed', reason, message }
}

type Exchange = {
  request: OutsideRequest
  /** Checked addresses of a name; none where the URL has an address itself. */
  addresses: Address[]
  ca: string | undefined
  late: Promise<void>
}

/** Send a request to one of the checked addresses and read its answer. */
function sendTo(url: URL, { request, addresses, ca, late }: Exchange) {
  const { promise, resolve } = Promise.withResolvers<Answer | Failed>()
  const { method = 'POST', headers, body } = request
  const sent = (url.protocol === 'http:' ? http : https).request(url, {
    method,
    headers: { 'User-Agent': 'Longreach', 'Accept-Encoding': 'identity', ...headers },
    // An agent of its own: no connection to a name is used again for addresses that changed.
    agent: false,
    lookup: lookupOf(addresses),
    rejectUnauthorized: true,
    ...(ca !== undefined && { ca }),
  })
  let isAnswered = false
  let finish = () => resolve(failed('timed_out'))
  const end = (result: Answer | Failed) => {
    resolve(result)
    sent.destroy()
  }
  sent.on('response', (response) => {
    isAnswered = true
    finish = startReading(response, end)
  })
  sent.on('error', (error) => resolve(failed(failureOf(error), error)))
  sent.on('close', () => (isAnswered ? finish() : resolve(failed('closed'))))
  void late.then(() => {
    finish()
    sent.destroy()
  })
  sent.end(body)
  return promise
}

const mostBytes = 64 * 1024

/** Read an answer to its end or the most that is kept; the function returned ends it before. */
function startReading(response: http.IncomingMessage, done: (answer: Answer) => void) {
  const parts: Buffer[] = []
  let size = 0
  const finish = () => {
    const bytes = Buffer.concat(parts)
    const headers = Object.entries(response.headers).map(([name, value = '']) => [
      name,
      String(value),
    ])
    done({
      kind: 'answer',
      status: response.statusCode ?? 0,
      headers: Object.fromEntries(headers) as Record<string, string>, // the pairs above
      // The database has no place for U+0000.
      text: bytes.subarray(0, mostBytes).toString().replaceAll('\0', '\uFFFD'),
      isCut: !response.complete || bytes.length > mostBytes,
    })
  }
  response.on('data', (part: Buffer) => {
    parts.push(part)
    size += part.length
    if (size > mostBytes) finish()
  })
  response.on('end', finish)
  response.on('error', finish) // what arrived before the connection ended is the answer
  return finish
}

const reasons: [RegExp, keyof typeof failures][] = [
  [/^HPE_/, 'bad_answer'],
  [/CERT|TLS|SSL|^UNABLE_TO|^EPROTO$/, 'tls'],
  [/^(ECONNRESET|EPIPE)$/, 'closed'],
]

function failureOf(error: Error): keyof typeof failures {
  const { code = '' } = error as NodeJS.ErrnoException
  return reasons.find(([pattern]) => pattern.test(code))?.[1] ?? 'unreachable'
}

/** Look-up that answers with addresses which are known already. */
const lookupOf =
  (addresses: readonly Address[]): LookupFunction =>
  (_, { all }, done) => {
    const [first] = addresses
    if (all) done(null, [...addresses])
    else done(null, first?.address ?? '', first?.family)
  }
