import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { type AddressInfo, connect, type Socket } from 'node:net'
import os from 'node:os'
import { afterEach, expect, test } from 'vitest'
import { createApp, withoutTrailingBlanks } from './http-app.ts'
import type { HttpLimits } from './http-server.ts'
import { takeUpgrades } from './upgrades.ts'

let end: (() => Promise<void>) | undefined
afterEach(async () => {
  await end?.()
  end = undefined
})

/** Listening app with a call that answers the body it received. */
async function listening(limits: Partial<HttpLimits> = {}, origin = 'http://portal.test') {
  const site = { origin, dataDir: os.tmpdir(), mqttPort: 0 }
  const app = createApp({ site, limits })
  app.post('/told', async ({ body }) => ({ body: body ?? 'none' }))
  app.delete('/told', async ({ body }) => ({ body: body ?? 'none' }))
  await app.listen({ port: 0, host: '127.0.0.1' })
  const { port } = app.server.address() as AddressInfo
  end = async () => void (await app.close())
  const tell = (body: string, headers: object = { 'content-type': 'application/json' }) =>
    fetch(`http://127.0.0.1:${port}/told`, { method: 'POST', headers: { ...headers }, body })
  return { app, port, tell, connections: () => connectionsOf(app.server) }
}

const connectionsOf = (server: { getConnections: (to: (e: unknown, n: number) => void) => void }) =>
  new Promise<number>((resolve) => server.getConnections((_, count) => resolve(count)))

async function sent(port: number, text: string) {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => socket.destroy())
  await once(socket, 'connect')
  socket.write(text)
  return socket
}
/** All bytes that the server sends before it closes the connection. */
async function answerTo(socket: Socket) {
  let text = ''
  socket.on('data', (data) => (text += data.toString()))
  await closed(socket)
  return text
}
/** Waits for the close. `once` would throw when the server resets the connection. */
const closed = async (socket: Socket) => {
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve))
}
const upgradeTo = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: l\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n`
const halfBody =
  'POST /told HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{'
const descriptors = async () => (await readdir('/proc/self/fd')).length

test('upgrades that nobody takes are answered and leave no descriptor behind', async () => {
  const { app, port, connections } = await listening()
  takeUpgrades(app.server, '/taken', (_, socket) => socket.end('HTTP/1.1 101 Taken\r\n\r\n'))
  expect(await answerTo(await sent(port, upgradeTo('/x')))).toMatch(/^HTTP\/1.1 404 Not Found/)
  expect(await answerTo(await sent(port, upgradeTo('/taken?a=b')))).toMatch(/^HTTP\/1.1 101 Taken/)
  const before = await descriptors()
  for (let round = 0; round < 10; round += 1) {
    const sockets = await Promise.all(
      Array.from({ length: 20 }, () => sent(port, upgradeTo('/other'))),
    )
    for (const [n, socket] of sockets.entries()) {
      if (n % 2 === 0) socket.destroy()
      else socket.resume().end()
    }
  }
  await expect.poll(connections).toBe(0)
  expect(await descriptors()).toBeLessThan(before + 20)
})

test('half a body, half a header and silence are ended in time, and a whole request is not', async () => {
  const { port, tell, connections } = await listening({
    requestMs: 400,
    headersMs: 300,
    silenceMs: 2_000,
    lookMs: 50,
    keepAliveMs: 200,
  })
  const answers = await Promise.all(
    [halfBody, 'GET /told HTTP/1.1\r\nHost: l\r\nX-Slow: ', ''].map(async (text) =>
      answerTo(await sent(port, text)),
    ),
  )
  expect(answers[0]).toMatch(/^HTTP\/1.1 408/)
  expect(answers[1]).toMatch(/^HTTP\/1.1 408/)
  expect(await (await tell('{"a":1}')).json()).toEqual({ body: { a: 1 } })
  await expect.poll(connections).toBe(0)
})

test('an app closes although connections are open, upgraded and half sent ones too', async () => {
  const { app, port } = await listening()
  const held: string[] = []
  takeUpgrades(app.server, '/held', () => held.push('held'))
  const sockets = [await sent(port, upgradeTo('/held')), await sent(port, halfBody)]
  await expect.poll(() => held).toEqual(['held'])
  await app.close()
  await Promise.all(sockets.map(closed))
})

test('one network has so many connections, and a closed one makes room', async () => {
  const { port, tell, connections } = await listening({ connectionsPerNetwork: 3 })
  const held = await Promise.all([1, 2, 3].map(() => sent(port, 'GET')))
  await expect.poll(connections).toBe(3)
  await expect(tell('{}')).rejects.toThrow('fetch failed')
  held[0]?.destroy()
  await expect.poll(connections).toBe(2)
  expect((await tell('{}')).status).toBe(200)
  for (const socket of held) socket.destroy()
})

test('an address that is too long is refused with the limit', async () => {
  const { port } = await listening()
  const answer = await fetch(`http://127.0.0.1:${port}/${'%20'.repeat(3_000)}x`)
  expect(answer.status).toBe(414)
  expect(await answer.json()).toMatchObject({ code: 'request.url_too_long', statusCode: 414 })
})

test('what cannot be read as a request is refused in the words of every other refusal', async () => {
  const { port } = await listening()
  const large = `GET /told HTTP/1.1\r\nHost: l\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`
  const answers = await Promise.all(
    [large, 'no request at all\r\n\r\n'].map(async (text) => answerTo(await sent(port, text))),
  )
  const told = answers.map((answer) => {
    const [head = '', body = ''] = answer.split('\r\n\r\n')
    expect(head).toContain('content-type: application/json')
    const { statusCode, code, details } = JSON.parse(body) as Record<string, unknown>
    return [statusCode, code, details]
  })
  expect(told).toEqual([
    [431, 'request.headers_too_large', {}],
    [400, 'request.malformed', {}],
  ])
})

test('blanks at the end of a path go, up to ten of them', () => {
  expect(withoutTrailingBlanks('/instance%20%20')).toBe('/instance')
  expect(withoutTrailingBlanks('/instance%20?a=b%20')).toBe('/instance?a=b%20')
  expect(withoutTrailingBlanks('/a%20b?c')).toBe('/a%20b?c')
  expect(withoutTrailingBlanks(`/a${'%20'.repeat(12)}`)).toBe('/a%20%20')
})

test('JSON with nothing in it is no body, and broken JSON is refused', async () => {
  const { port, tell } = await listening()
  const url = `http://127.0.0.1:${port}/told`
  const headers = { 'content-type': 'application/json' }
  for (const method of ['POST', 'DELETE']) {
    expect(await (await fetch(url, { method, headers })).json()).toEqual({ body: 'none' })
  }
  expect(await (await tell(' \r\n')).json()).toEqual({ body: 'none' })
  expect(await (await tell('{"a":1}')).json()).toEqual({ body: { a: 1 } })
  const broken = await tell('{')
  expect(broken.status).toBe(400)
  expect(await broken.json()).toMatchObject({ code: 'request.refused' })
})

test('a request with two lengths is refused and nothing of it is taken for a second one', async () => {
  const { port, tell } = await listening()
  const second = 'POST /told HTTP/1.1\r\nHost: l\r\nContent-Length: 0\r\n\r\n'
  const head = 'POST /told HTTP/1.1\r\nHost: l\r\n'
  const smuggled = [
    `${head}Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${second}`,
    `${head}Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n${second}`,
    `${head}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n${second}`,
    `${head}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${second}`,
    `${head}Content-Length: 0\r\nContent-Length: ${second.length}\r\n\r\n${second}`,
    `${head}Content-Length : 0\r\n\r\n${second}`,
    `${head}Content-Length: +0\r\n\r\n${second}`,
    `${head}Transfer-Encoding: chunked\r\n\r\n0x0\r\n\r\n${second}`,
    `${head}X: a\nContent-Length: 0\r\n\r\n${second}`,
  ]
  for (const text of smuggled) {
    const answer = await answerTo(await sent(port, text))
    const statuses = answer.match(/(?<=HTTP\/1.1 )\d+/g) ?? []
    expect({ text, last: statuses.at(-1) }).toEqual({ text, last: '400' })
    expect(statuses).not.toContain('200')
  }
  expect((await tell('{}')).status).toBe(200)
})

test('every answer forbids guessing its type, and over HTTPS asks to stay there', async () => {
  const plain = await (await listening()).tell('{}')
  expect(plain.headers.get('x-content-type-options')).toBe('nosniff')
  expect(plain.headers.has('strict-transport-security')).toBe(false)
  await end?.()
  const secure = await listening({}, 'https://portal.test')
  const missing = await fetch(`http://127.0.0.1:${secure.port}/nowhere`)
  expect(missing.status).toBe(404)
  expect(missing.headers.get('x-content-type-options')).toBe('nosniff')
  expect(missing.headers.get('strict-transport-security')).toBe('max-age=31536000')
})
