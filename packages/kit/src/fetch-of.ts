import type { FastifyInstance } from 'fastify'

/** `fetch` for a service in this process, or at `origin` when it runs in another one. */
export function fetchOf(
  app: FastifyInstance,
  origin?: string,
  headers: Record<string, string> = {},
): typeof globalThis.fetch {
  return async (input, init = {}) => {
    const sent = { ...headers, ...(init.headers as Record<string, string> | undefined) }
    const url = typeof input === 'string' ? input : 'href' in input ? input.href : input.url
    if (origin) return globalThis.fetch(`${origin}${url}`, { ...init, headers: sent })
    const answer = await app.inject({
      method: (init.method ?? 'GET') as 'GET',
      url,
      headers: sent,
      ...(typeof init.body === 'string' && { payload: init.body }),
    })
    const { statusCode, rawPayload } = answer
    const type = answer.headers['content-type']
    return new Response(statusCode === 204 ? null : new Uint8Array(rawPayload), {
      status: statusCode,
      headers: typeof type === 'string' ? { 'content-type': type } : {},
    })
  }
}

/** `fetch` for any service, by the beginning of the path: in this process, or at the origin that `elsewhere` names. */
export function fetchAny(
  app: FastifyInstance,
  elsewhere: Readonly<Record<string, string>>,
  headers: Record<string, string> = {},
): typeof globalThis.fetch {
  const here = fetchOf(app, undefined, headers)
  const others = Object.entries(elsewhere).map(([name, origin]) => ({
    begins: name === 'identity' ? '/auth/' : `/svc/${name}/`,
    fetch: fetchOf(app, origin, headers),
  }))
  return (input, init) => {
    const url = typeof input === 'string' ? input : 'href' in input ? input.href : input.url
    const other = others.find(({ begins }) => url.startsWith(begins))
    return (other?.fetch ?? here)(input, init)
  }
}
