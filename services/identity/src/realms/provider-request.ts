import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Realm } from './realm.ts'

type Body = { readable: boolean; iterator: () => AsyncIterable<Buffer> }

/**
 * Make a request safe to show to the provider, which builds addresses from it: host, protocol and
 * path come from the realm's issuer, never from what the client claims.
 */
export function pinned(request: FastifyRequest, { issuer }: Realm, path: string): IncomingMessage {
  const { host, protocol, pathname } = new URL(issuer)
  const raw = request.raw as IncomingMessage & { originalUrl?: string }
  for (const name of Object.keys(raw.headers)) {
    // Where the call comes from is read off `x-forwarded-for` later; no address is built from it.
    if (name === 'x-forwarded-for') continue
    if (name.startsWith('x-forwarded') || name === 'forwarded' || name === ':authority') {
      delete raw.headers[name]
    }
  }
  raw.headers.host = host
  raw.headers['x-forwarded-proto'] = protocol.replace(':', '')
  // Which origins may read the answer is decided by the routes, not by the provider.
  delete raw.headers.origin
  raw.url = path
  raw.originalUrl = pathname + path
  return raw
}

/** Let the provider answer. `path` is the request's below the realm; `form` the body, read before. */
export async function answerByProvider(
  { request, reply, realm }: { request: FastifyRequest; reply: FastifyReply; realm: Realm },
  path: string,
  form?: string,
) {
  const raw = pinned(request, realm, path)
  if (form !== undefined) giveBack(raw, form)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  await realm.handle(raw, reply.raw)
}

/** The body was read to look at it; the provider reads it again. */
function giveBack(raw: IncomingMessage, form: string) {
  const body = Buffer.from(form)
  const again: Body = { readable: true, iterator: () => Readable.from([body]) }
  for (const [name, value] of Object.entries(again)) Object.defineProperty(raw, name, { value })
  raw.headers['content-length'] = String(body.length)
}
