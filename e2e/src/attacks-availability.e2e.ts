import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { addressOfService, serviceNames } from '../../apps/server/src/services.ts'
import { bearer } from './asking.ts'
import { makeDevice, signInByHttp, tokensByHttp } from './calls.ts'
import { smallModel } from './hostile-mappings.ts'
import type { HostileRow } from './hostile-row.ts'
import { hostileTable } from './hostile-table.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { descriptorsOf, limitFor, longestBlock, memoryOf, usualBlock } from './loop-guard.ts'

// Nobody stops the server: no call keeps the others waiting, and nothing is left behind by who has gone.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
/** Milliseconds that one call may keep the loop, on the machine that this was written on. */
const longestMs = 250

let longreach: Longreach
let fresh: { token: string; until: number } | undefined
let device: string
beforeAll(async () => {
  longreach = await startLongreach({ env })
  const call = await signInByHttp(longreach.url, owner)
  await call('POST', 'mappings/api/v1/models?organization=main', { name: 'B', data: smallModel })
  const press = await makeDevice(call, 'main', 'press')
  device = press.deviceId
  const data = Array.from({ length: 20_000 }, (_, n) => [1_600_000_000_000 + n * 60_000, n])
  for (const type of ['double', 'integer']) {
    const values = [{ deviceId: device, modelPath: press.path(type), data }]
    await call('POST', 'platform/api/v1/organizations/main/devices/bulkInsertTags', values)
  }
})
afterAll(() => longreach?.stop())

/** A token that is good for a while yet: all of this takes longer than one lives. */
async function goodToken() {
  if (!fresh || fresh.until < Date.now()) {
    const { access_token: token } = await tokensByHttp(longreach.url, owner)
    fresh = { token, until: Date.now() + 120_000 }
  }
  return fresh.token
}

const port = () => Number(new URL(longreach.url).port)

type Sent = Pick<HostileRow, 'method' | 'path' | 'as' | 'sends'> & { body: unknown }

async function send({ method, path, as, sends, body }: Sent) {
  const address = path.replaceAll('{device}', device)
  const response = await fetch(
    address.startsWith('/') ? longreach.url + address : `${longreach.url}/svc/${address}`,
    {
      method,
      redirect: 'manual',
      headers: {
        ...(sends !== 'form' && body !== undefined && { 'content-type': 'application/json' }),
        ...(as ? {} : bearer(await goodToken())),
      },
      ...(body !== undefined && { body: sends === 'form' ? formOf(body) : jsonOf(body) }),
    },
  )
  return { status: response.status, text: await response.text() }
}

const formOf = (body: unknown) =>
  new URLSearchParams(body as Record<string, string> | [string, string][])

const jsonOf = (body: unknown) =>
  JSON.stringify(body)
    .replaceAll('{device}', device)
    .replace(/\{"nested":(\d+)\}/, (_, depth: string) => {
      return '['.repeat(Number(depth)) + ']'.repeat(Number(depth))
    })

test('every service of the server has calls in the table, each to a path of its own', () => {
  expect(Object.keys(hostileTable)).toEqual(serviceNames)
  for (const [service, rows] of Object.entries(hostileTable)) {
    const address = addressOfService(service)
    const own = rows.filter(
      ({ path }) => /^[/?]/.test(path.replace(address, '')) || path.startsWith('/'),
    )
    expect({ service, own: own.length }).toEqual({ service, own: rows.length })
    expect(rows.length).toBeGreaterThan(0)
  }
})

test.each(Object.values(hostileTable).flat())('$name: nobody waits for it', async (row) => {
  const { hostilePath, path } = row
  const sent = { ...row, path: hostilePath?.() ?? path, body: row.hostile() }
  await goodToken()
  const { result, longest, limit } = await usualBlock(longreach, longestMs, () => send(sent))
  const said = result.text.slice(0, 300)
  const { status } = result
  const meant = row.refused.includes(status)
  expect({ said, status, meant }).toEqual({ said, status, meant: true })
  expect(longest).toBeLessThan(limit)
  const good = await send({ ...row, body: row.good })
  const told = good.text.slice(0, 300)
  expect({ told, status: good.status }).toEqual({ told, status: row.answered })
})

test('an address full of blanks and one that is too long cost nothing', async () => {
  const address = (blanks: number) => `${longreach.url}/${'%20'.repeat(blanks)}x`
  const ask = () => Promise.all(Array.from({ length: 40 }, () => fetch(address(2_600))))
  await ask()
  const { result, longest } = await longestBlock(longreach, ask)
  // A name so long is none that a file may have.
  expect(result.filter(({ status }) => status !== 403 && status !== 404)).toEqual([])
  expect(longest).toBeLessThan(limitFor(longest, longestMs))
  expect((await fetch(address(4_000))).status).toBe(414)
})

/** A connection of a stranger that has sent this much. */
function opened(text: string) {
  const socket = connect(port(), '127.0.0.1')
  socket.on('error', () => socket.destroy())
  return new Promise<Socket>((resolve) =>
    socket.once('connect', () => socket.write(text, () => resolve(socket))),
  )
}
const together = (length: number, text: string) =>
  Promise.all(Array.from({ length }, () => opened(text)))

const half = (path: string, bytes: number) =>
  `POST ${path} HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n{"a":"`
const upgrade = (path: string) =>
  `GET ${path} HTTP/1.1\r\nHost: l\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`
const live = '/svc/platform/api/v1/live'

test.each([
  ['upgrades that nobody takes', upgrade('/nowhere')],
  ['live sockets without a hello', upgrade(live)],
  ['half bodies', half('/svc/core/api/v1/setup', 1_000)],
  ['half headers', 'GET / HTTP/1.1\r\nHost: l\r\nX-Long: '],
])('%s leave no descriptor behind when their clients go', async (_, text) => {
  const before = await descriptorsOf(longreach.pid())
  for (let round = 0; round < 5; round += 1) {
    for (const socket of await together(60, text)) socket.destroy()
  }
  const grown = async () => (await descriptorsOf(longreach.pid())) - before
  await expect.poll(grown).toBeLessThan(10)
  expect((await fetch(`${longreach.url}/svc/core/api/v1/instance`)).status).toBe(200)
})

test('of one network fifty live sockets may wait for their hello, and it still opens others', async () => {
  const sockets = await together(80, upgrade(live))
  const answers = await Promise.all(
    sockets.map(
      (socket) =>
        new Promise<string>((resolve) => socket.once('data', (data) => resolve(data.toString()))),
    ),
  )
  const taken = answers.filter((text) => text.startsWith('HTTP/1.1 101')).length
  expect(taken).toBeLessThanOrEqual(50)
  expect(answers.filter((text) => text.startsWith('HTTP/1.1 429')).length).toBe(80 - taken)
  for (const socket of sockets) socket.destroy()
  const again = async () => {
    const [socket] = await together(1, upgrade(live))
    const answer = await new Promise<string>((resolve) =>
      socket?.once('data', (data) => resolve(data.toString())),
    )
    socket?.destroy()
    return answer.split('\r\n')[0]
  }
  await expect.poll(again).toBe('HTTP/1.1 101 Switching Protocols')
})

test('what a stranger and a person hold of memory has a limit', async () => {
  const before = await memoryOf(longreach.pid())
  const content = 'x'.repeat(1_500_000)
  const strangers = await together(60, half('/svc/core/api/v1/setup', 2_000_000) + content)
  const credential = `Authorization: Bearer ${await goodToken()}\r\nContent-Type:`
  const person = half('/svc/mappings/api/v1/devices/search?organization=main', 2_000_000)
  const people = await together(60, person.replace('Content-Type:', credential) + content)
  const all = [...strangers, ...people]
  for (const socket of all) socket.resume()
  // 4 MB of the network and 32 of the person, and what the connections themselves hold.
  expect((await memoryOf(longreach.pid())) - before).toBeLessThan(150)
  expect((await fetch(`${longreach.url}/svc/core/api/v1/instance`)).status).toBe(200)
  for (const socket of all) socket.destroy()
})

test('two requests in one are refused, and the second is never done', async () => {
  const second = `GET /svc/core/api/v1/instance HTTP/1.1\r\nHost: l\r\n\r\n`
  const head =
    'POST /svc/core/api/v1/setup HTTP/1.1\r\nHost: l\r\nContent-Type: application/json\r\n'
  for (const lengths of [
    'Content-Length: 5\r\nTransfer-Encoding: chunked',
    'Transfer-Encoding: chunked\r\nContent-Length: 5',
    'Content-Length: 0\r\nContent-Length: 60',
    'Transfer-Encoding: chunked\r\nTransfer-Encoding: identity',
    'Content-Length : 0',
  ]) {
    const [socket] = await together(1, `${head}${lengths}\r\n\r\n0\r\n\r\n${second}`)
    let text = ''
    socket?.on('data', (data: Buffer) => (text += data.toString()))
    await new Promise((resolve) => socket?.once('close', resolve))
    expect({ lengths, done: text.includes('HTTP/1.1 200') }).toEqual({ lengths, done: false })
    expect(text).toContain('HTTP/1.1 400')
  }
})

test('a server with connections of strangers stops in order', async () => {
  const other = await startLongreach({ env })
  const at = Number(new URL(other.url).port)
  const texts = [upgrade(live), upgrade('/nowhere'), half('/svc/core/api/v1/setup', 1_000), 'GET']
  const sockets = texts.map((text) => {
    const socket = connect(at, '127.0.0.1')
    socket.on('error', () => socket.destroy())
    socket.write(text)
    return socket
  })
  const begun = async () => sockets.filter(({ connecting }) => connecting).length
  await expect.poll(begun).toBe(0)
  // Ends by itself: `stop` sends one signal and waits.
  await other.stop()
})
