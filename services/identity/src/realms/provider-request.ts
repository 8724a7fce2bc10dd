import type { IncomingMessage } from 'node:http'
import { Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Realm } from './realm.ts'

type Body = { readable: boolean; iterator: () => AsyncIterable<Buffer> }

/**
 * Set host, protocol and path of a request to those of the issuer, since the provider builds addresses
 * from them. What the client sent is not used.
 */
export function pinToIssuer(
  request: FastifyRequest,
  { issuer }: Realm,
  path: string,
): IncomingMessage {
  const { host, protocol, pathname } = new URL(issuer)
  const raw = request.raw as IncomingMessage & { originalUrl?: string }
  for (const name of Object.keys(raw.headers)) {
    // The client’s address is read from it later; no address is built from it.
    if (name === 'x-forwarded-for') continue
    if (name.startsWith('x-forwarded') || name === 'forwarded' || name === ':authority') {
      delete raw.headers[name]
    }
  }
  raw.headers.host = host
  raw.headers['x-forwarded-proto'] = protocol.replace(':', '')
  // The routes decide which origins may read the answer, not the provider.
  delete raw.headers.origin
  raw.url = path
  raw.originalUrl = pathname + path
  return raw
}

/**
 * Answer a request by the provider. `path` is the path below the realm; `form` the body that was already
 * read.
 */
export async function answerByProvider(
  { request, reply, realm }: { request: FastifyRequest; reply: FastifyReply; realm: Realm },
  path: string,
  form?: string,
) {
  const raw = pinToIssuer(request, realm, path)
  if (form !== undefined) replaceBody(raw, form)
  reply.hijack()
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) reply.raw.setHeader(name, value)
  }
  await realm.handle(raw, reply.raw)
}

/** Body that was already read, for the provider to read again. */
function replaceBody(raw: IncomingMessage, form: string) {
  const body = Buffer.from(form)
  const again: Body = { readable: true, iterator: () => Readable.from([body]) }
  for (const [name, value] of Object.entries(again)) Object.defineProperty(raw, name, { value })
  raw.headers['content-length'] = String(body.length)
}
