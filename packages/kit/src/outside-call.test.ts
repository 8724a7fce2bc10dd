import 'reflect-metadata'
import http from 'node:http'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import net from 'node:net'
import * as x509 from '@peculiar/x509'
import { expect, onTestFinished, test } from 'vitest'
import { createOutsideCaller, type OutsideRequest } from './outside-call.ts'

const loopback = { http: true, networks: ['127.0.0.0/8'] }
const local = [{ address: '127.0.0.1', family: 4 }]
const never = () => Promise.reject(new Error('a look-up'))

/** Server on a port of its own, with the requests that it got. */
async function startServer(answer: http.RequestListener, server: net.Server = http.createServer()) {
  const seen: { host: string | undefined; method: string | undefined; body: string }[] = []
  server.on('request', (request: http.IncomingMessage, response: http.ServerResponse) => {
    let body = ''
    request.setEncoding('utf8').on('data', (part: string) => (body += part))
    request.on('end', () => {
      seen.push({ host: request.headers.host, method: request.method, body })
      answer(request, response)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const sockets = new Set<net.Socket>()
  server.on('connection', (socket) => sockets.add(socket.on('close', () => sockets.delete(socket))))
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  const { port } = server.address() as AddressInfo // it listens on a port
  return { port, seen, open: () => sockets.size, url: `http://127.0.0.1:${port}/hook` }
}

const call = (request: OutsideRequest, options: Parameters<typeof createOutsideCaller>[1] = {}) =>
  createOutsideCaller(loopback, { resolve: never, limitMs: 60_000, ...options }).call(request)

test('an answer comes with its status, headers and text, and the time that it took', async () => {
  const { url, seen } = await startServer((_, response) => {
    response.writeHead(201, { 'x-one': 'a', 'set-cookie': ['a=1', 'b=2'] }).end('dan\0ke')
  })
  const headers = { 'webhook-id': '7', 'content-type': 'application/json' }
  const result = await call({ url, headers, body: '{"a":1}' })
  expect(result).toMatchObject({ kind: 'answer', status: 201, text: 'dan\uFFFDke', isCut: false })
  expect(result).toMatchObject({ headers: { 'x-one': 'a', 'set-cookie': 'a=1,b=2' } })
  expect(result.ms).toBeGreaterThanOrEqual(0)
  expect(seen).toMatchObject([{ method: 'POST', body: '{"a":1}' }])
})

test('by TLS the name is that of the certificate and of the header, the address the checked one', async () => {
  const { key, cert } = await selfSigned('hooks.example.test')
  const { port, seen } = await startServer(
    (_, response) => response.end('ok'),
    https.createServer({ key, cert }),
  )
  const looked: string[] = []
  const resolve = (name: string) => {
    looked.push(name)
    return Promise.resolve(local)
  }
  const url = `https://hooks.example.test:${port}/`
  expect(await call({ url }, { resolve, ca: cert })).toMatchObject({ kind: 'answer', text: 'ok' })
  expect(seen).toMatchObject([{ host: `hooks.example.test:${port}` }])
  expect(looked).toEqual(['hooks.example.test'])
  expect(await call({ url }, { resolve })).toMatchObject({ kind: 'failed', reason: 'tls' })
  const other = `https://other.example.test:${port}/`
  expect(await call({ url: other }, { resolve, ca: cert })).toMatchObject({
    kind: 'failed',
    reason: 'tls',
  })
  expect(seen).toHaveLength(1)
})

test('attack 100: one private address among those of a name refuses the call', async () => {
  const { port, seen } = await startServer((_, response) => response.end())
  const resolve = () => Promise.resolve([{ address: '93.184.215.14', family: 4 }, ...local])
  const strict = createOutsideCaller({ http: true, networks: [] }, { resolve })
  const result = await strict.call({ url: `http://hooks.example.test:${port}/` })
  expect(result).toMatchObject({ kind: 'refused', reason: 'not_public', field: 'url' })
  expect(JSON.stringify(result)).not.toContain('127.0')
  expect(seen).toEqual([])
})

test('attack 100: a name that leads elsewhere the second time is looked up once for a call', async () => {
  const { port, seen } = await startServer((_, response) => response.end())
  const inside = await startServer((_, response) => response.end('inside'))
  const answers = ['127.0.0.1', '10.0.0.1']
  const resolve = () => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }])
  const url = `http://hooks.example.test:${port}/`
  const caller = createOutsideCaller(loopback, { resolve })
  expect(await caller.call({ url })).toMatchObject({ kind: 'answer' })
  expect(answers).toHaveLength(1)
  expect(await caller.call({ url })).toMatchObject({ kind: 'refused', reason: 'not_public' })
  expect([seen.length, inside.seen.length]).toEqual([1, 0])
})

test.each([
  'http://127.0.0.1:9/',
  'http://2130706433:9/',
  'http://[::ffff:7f00:1]:9/',
  'ftp://x/',
  'http://a:b@x/',
])('attack 100: %s is refused before any look-up', async (url) => {
  const strict = createOutsideCaller({ http: true, networks: [] }, { resolve: never })
  expect(strict.refusalOf({ url })).toMatchObject({ field: 'url' })
  expect(await strict.call({ url })).toMatchObject({ kind: 'refused', field: 'url' })
})

test('attack 100: a redirect to loopback is an answer and is not followed', async () => {
  const inside = await startServer((_, response) => response.end('inside'))
  const { url } = await startServer((_, response) => {
    response.writeHead(302, { location: inside.url }).end()
  })
  expect(await call({ url })).toMatchObject({ kind: 'answer', status: 302 })
  expect(inside.seen).toEqual([])
})

test('429 with Retry-After is an answer', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(429, { 'retry-after': '7' }).end()
  })
  expect(await call({ url })).toMatchObject({ status: 429, headers: { 'retry-after': '7' } })
})

test('attack 101: of an answer of 1 GB, 64 kB are read and the rest is not waited for', async () => {
  let sent = 0
  const { url, open } = await startServer((_, response) => {
    response.writeHead(200, { 'content-length': 1e9 })
    const part = Buffer.alloc(100_000, 'x')
    const write = () => {
      while (sent < 1e9 && !response.destroyed && response.write(part)) sent += part.length
    }
    response.on('drain', write)
    write()
  })
  const result = await call({ url })
  expect(result).toMatchObject({ kind: 'answer', status: 200, isCut: true })
  expect(result.kind === 'answer' && result.text.length).toBe(65_536)
  await expect.poll(open).toBe(0)
  expect(sent).toBeLessThan(1e8)
})

test('a server that hangs before, within or after the headers is left in time', async () => {
  const silent = net.createServer((socket) => socket.resume())
  const bare = await startServer(() => undefined, silent)
  const { url } = await startServer(() => undefined)
  const dripping = await startServer((_, response) => {
    response.writeHead(200).write('begun')
  })
  const short = { limitMs: 1_000 }
  expect(await call({ url: bare.url }, short)).toMatchObject({
    kind: 'failed',
    reason: 'timed_out',
  })
  expect(await call({ url }, short)).toMatchObject({ kind: 'failed', reason: 'timed_out' })
  const drip = await call({ url: dripping.url }, { limitMs: 3_000 })
  expect(drip).toMatchObject({ kind: 'answer', status: 200, text: 'begun', isCut: true })
  for (const one of [bare, dripping]) await expect.poll(one.open).toBe(0)
})

test('what arrived before the server left is the answer', async () => {
  const { url } = await startServer((_, response) => {
    response.writeHead(200, { 'content-length': 100 })
    response.write('begun', () => response.destroy())
  })
  expect(await call({ url })).toMatchObject({ kind: 'answer', text: 'begun', isCut: true })
})

test('a look-up that does not end counts within the limit', async () => {
  const resolve = () => new Promise<never>(() => undefined)
  const result = await call({ url: 'https://hooks.example.test/' }, { resolve, limitMs: 100 })
  expect(result).toMatchObject({ kind: 'failed', reason: 'timed_out' })
})

test('failures say what happened', async () => {
  const { port } = await startServer(() => undefined)
  const garbage = net.createServer((socket) => socket.end('SSH-2.0-OpenSSH_9.9\r\n'))
  const strange = await startServer(() => undefined, garbage)
  const leaving = await startServer((request) => request.socket.destroy())
  const closed = http.createServer()
  await new Promise<void>((done) => closed.listen(0, '127.0.0.1', done))
  const unused = (closed.address() as AddressInfo).port // it listens on a port
  await new Promise((done) => closed.close(done))
  const reasonOf = async (url: string, resolve = never) => {
    const result = await call({ url }, { resolve })
    return result.kind === 'answer' ? result.status : result.reason
  }
  expect(await reasonOf(`http://127.0.0.1:${unused}/`)).toBe('unreachable')
  expect(await reasonOf(`https://127.0.0.1:${port}/`)).toBe('tls')
  expect(await reasonOf(strange.url)).toBe('bad_answer')
  expect(await reasonOf(leaving.url)).toBe('closed')
  expect(await reasonOf('http://hooks.example.test/')).toBe('name_not_found')
})

test('a header that a person gave wrongly refuses the call', async () => {
  const { url, seen } = await startServer((_, response) => response.end())
  const refused = await call({ url, headers: { 'X-Y': 'z\r\nHost: internal' } })
  expect(refused).toMatchObject({ kind: 'refused', reason: 'bad_header', field: 'headers.X-Y' })
  expect(seen).toEqual([])
})

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
async function selfSigned(name: string) {
  const keys = await crypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: `CN=${name}`,
    keys,
    signingAlgorithm: algorithm,
    notAfter: new Date(Date.now() + 86_400_000),
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.SubjectAlternativeNameExtension([{ type: 'dns', value: name }]),
    ],
  })
  const key = await crypto.subtle.exportKey('pkcs8', keys.privateKey)
  return { cert: certificate.toString('pem'), key: x509.PemConverter.encode(key, 'PRIVATE KEY') }
}
