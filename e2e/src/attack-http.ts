import { type IncomingHttpHeaders, request } from 'node:http'

export type Ask = {
  method?: string
  /** A list sends the header several times. */
  headers?: Record<string, string | string[]>
  /** A form, text as it is, or anything else as JSON. */
  body?: URLSearchParams | string | Buffer | object
  /** The address of this machine that the call comes from: all of 127.0.0.0/8 are its own. */
  from?: string
}

export type Answer = {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** Empty when the answer does not lead anywhere. */
  location: string
  setCookies: string[]
  json: <T = Record<string, unknown>>() => T
}

/**
 * Parts of an answer that must not leave the server: places in the program, and database errors.
 */
const inside = /at file:|node_modules|\.ts:\d+:\d+|\n\s+at .+:\d+:\d+|SQLSTATE|kysely|ECONNREFUSED/i

/** Answers with such parts; tests check this list at the end. */
export const slips: string[] = []

/** A call as the wire carries it: no redirect is followed, no header is refused, no address is tidied up. */
export function send(address: string, { method, headers = {}, body, from }: Ask = {}) {
  const at = /^http:\/\/([^/:]+):(\d+)(.*)$/s.exec(address)
  if (!at) throw new Error(`Not an address of the server: ${address}`)
  const [, host = '', port = '', path = ''] = at
  const { type, content } = contentOf(body)
  return new Promise<Answer>((resolve, reject) => {
    const call = request({
      host: '127.0.0.1',
      port,
      path: path === '' ? '/' : path,
      method: method ?? (body === undefined ? 'GET' : 'POST'),
      headers: {
        host: `${host}:${port}`,
        ...(type !== undefined && { 'content-type': type }),
        ...(content !== undefined && { 'content-length': String(Buffer.byteLength(content)) }),
        ...headers,
      },
      agent: false,
      ...(from !== undefined && { localAddress: from }),
    })
    call.on('error', reject)
    call.on('response', (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('error', reject)
      response.on('end', () => {
        const text = Buffer.concat(parts).toString()
        const status = response.statusCode ?? 0
        // The test pages' own script may hold anything.
        if (status >= 500 || (status >= 400 && inside.test(text))) {
          slips.push(`${call.method} ${path.slice(0, 200)}: ${status} ${text.slice(0, 300)}`)
        }
        resolve({
          status,
          headers: response.headers,
          text,
          location: response.headers.location ?? '',
          setCookies: response.headers['set-cookie'] ?? [],
          json: <T>() => JSON.parse(text) as T,
        })
      })
    })
    call.end(content)
  })
}

function contentOf(body: Ask['body']): { type?: string; content?: string | Buffer } {
  if (body === undefined) return {}
  if (body instanceof URLSearchParams) {
    return { type: 'application/x-www-form-urlencoded', content: body.toString() }
  }
  if (typeof body === 'string' || Buffer.isBuffer(body)) return { content: body }
  return { type: 'application/json', content: JSON.stringify(body) }
}

type Cookie = { name: string; value: string; path: string }

/** A browser without a screen: cookies by path, at an address of its own. */
export function browserFrom(from: string, cookies: Cookie[] = []) {
  let jar = cookies
  const keep = (line: string) => {
    const [pair = '', ...attributes] = line.split(';').map((part) => part.trim())
    const at = pair.indexOf('=')
    const cookie = { name: pair.slice(0, at), value: pair.slice(at + 1), path: '/' }
    for (const attribute of attributes) {
      const [name = '', value = ''] = attribute.split('=')
      if (name.toLowerCase() === 'path') cookie.path = value
    }
    jar = jar.filter(({ name, path }) => name !== cookie.name || path !== cookie.path)
    if (cookie.value !== '') jar.push(cookie)
  }
  const go = async (address: string, ask: Ask = {}): Promise<Answer> => {
    const { pathname } = new URL(address)
    const cookie = jar
      .filter(({ path }) => pathname.startsWith(path))
      .map(({ name, value }) => `${name}=${value}`)
      .join('; ')
    const headers = { ...(cookie !== '' && { cookie }), ...ask.headers }
    const answer = await send(address, { from, ...ask, headers })
    for (const line of answer.setCookies) keep(line)
    return { ...answer, location: answer.location && new URL(answer.location, address).href }
  }
  return {
    from,
    go,
    post: (address: string, fields: Record<string, string>) =>
      go(address, { body: new URLSearchParams(fields) }),
    cookies: () => jar.map((cookie) => ({ ...cookie })),
    /** Another browser with the same cookies, as a thief or a victim of a planted cookie has. */
    copy: (at = from) =>
      browserFrom(
        at,
        jar.map((cookie) => ({ ...cookie })),
      ),
  }
}
export type AttackBrowser = ReturnType<typeof browserFrom>
