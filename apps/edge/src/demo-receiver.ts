import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

/** Address of this machine on which webhooks of the demo arrive, apart from that of other local programs. */
export const receiverHost = '127.0.0.77'

/** Calls that the page shows, and the longest body that is kept (characters). */
const mostShown = 100
const longestBody = 20_000

const Kept = z.object({ port: z.int() })
type Call = { at: Date; method: string; path: string; id: string; body: string }

/**
 * Receiver of webhooks: `POST` keeps what came, `GET /` shows the last calls. It has the port of its last run, as
 * the addresses of webhooks are stored; undefined where this machine does not have the address, or the port is taken.
 */
export async function startReceiver(file: string, tell: (line: string) => void) {
  const calls: Call[] = []
  const server = createServer((request, response) => {
    if (request.method === 'GET') show(response, calls)
    else
      void take(request, response, calls).catch((error: unknown) =>
        response.destroy(error as Error),
      )
  })
  server.listen(portOf(file), receiverHost)
  try {
    await once(server, 'listening')
  } catch (error) {
    tell(`webhooks of the demo have no receiver: ${String(error)}`)
    return undefined
  }
  const { port } = server.address() as AddressInfo // it listens
  writeFileSync(file, JSON.stringify({ port }), { mode: 0o600 })
  const close = async () => {
    server.closeAllConnections()
    await new Promise((closed) => server.close(closed))
  }
  return { port, close }
}

/** Port of the last run; any free one at the first. */
function portOf(file: string) {
  try {
    return Kept.parse(JSON.parse(readFileSync(file, 'utf8'))).port
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0
    throw error
  }
}

async function take(request: IncomingMessage, response: ServerResponse, calls: Call[]) {
  let body = ''
  request.setEncoding('utf8')
  for await (const chunk of request) {
    if (body.length < longestBody) body += String(chunk)
  }
  const { method = '', url: path = '', headers } = request
  const id = String(headers['webhook-id'] ?? '')
  calls.unshift({ at: new Date(), method, path, id, body: body.slice(0, longestBody) })
  calls.length = Math.min(calls.length, mostShown)
  response.writeHead(200, { 'content-type': 'text/plain' }).end('received')
}

function show(response: ServerResponse, calls: readonly Call[]) {
  response
    .writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      refresh: '5',
    })
    .end(pageOf(calls))
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Page of the calls, the newest first. */
function pageOf(calls: readonly Call[]) {
  const items = calls.map(
    ({ at, method, path, id, body }) =>
      `<li><b>${at.toISOString()}</b> ${escaped(`${method} ${path}`)} <small>${escaped(id)}</small><pre>${escaped(pretty(body))}</pre></li>`,
  )
  const list = items.length === 0 ? '<p>Nothing has arrived yet.</p>' : `<ol>${items.join('')}</ol>`
  return `<!doctype html><html lang="en"><title>Webhooks of the demo</title><style>
body{font:14px system-ui;margin:2rem auto;max-width:52rem;padding:0 1rem;color-scheme:light dark}
ol{list-style:none;padding:0}li{border-top:1px solid #8884;padding:.75rem 0}small{color:GrayText}
pre{white-space:pre-wrap;overflow-wrap:anywhere;margin:.5rem 0 0}</style>
<h1>Webhooks of the demo</h1><p>The last ${mostShown} calls, the newest first.</p>${list}</html>`
}

function pretty(body: string) {
  try {
    return JSON.stringify(JSON.parse(body), undefined, 2)
  } catch {
    return body // it is not JSON, and is shown as it came
  }
}
