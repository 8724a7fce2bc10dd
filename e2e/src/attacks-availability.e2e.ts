import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer } from './asking.ts'
import { tokensByHttp } from './calls.ts'
import { hostileTable, smallModel } from './hostile-table.ts'
import { type Longreach, startLongreach } from './longreach.ts'
import { descriptorsOf, longestBlock, memoryOf, slowness } from './loop-guard.ts'

// Nobody stops the server: no call keeps the others waiting, and nothing is left behind by who has gone.
const owner = { username: 'eva', password: 'a pass phrase of tests 7', organization: 'main' }
const env = { SETUP_USER: owner.username, SETUP_PASSWORD: owner.password }
/** Milliseconds that one call may keep the loop, on the machine that this was written on. */
const longestMs = 250

let longreach: Longreach
let token: string
let limitMs: number
beforeAll(async () => {
  longreach = await startLongreach({ env })
  token = (await tokensByHttp(longreach.url, owner)).access_token
  limitMs = longestMs * slowness()
  const model = { name: 'B', data: smallModel }
  const made = await send('mappings/api/v1/models?organization=main', {
    method: 'POST',
    body: JSON.stringify(model),
  })
  if (made.status !== 201) throw new Error(made.text)
})
afterAll(() => longreach?.stop())

const port = () => Number(new URL(longreach.url).port)

async function send(
  path: string,
  sent: { method: string; body: string; as?: 'nobody' | undefined },
) {
  const { method, body, as } = sent
  const response = await fetch(`${longreach.url}/svc/${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(as ? {} : bearer(token)) },
    body,
  })
  return { status: response.status, text: await response.text() }
}

test.each(hostileTable)('$name: nobody waits for it', async (row) => {
  const { method, path, as } = row
  const hostile = JSON.stringify(row.hostile()).replace(
    /\{"nested":(\d+)\}/,
    (_, depth: string) => '['.repeat(Number(depth)) + ']'.repeat(Number(depth)),
  )
  const ask = () => send(path, { method, body: hostile, as })
  // Once before: programs are compiled at their first use.
  await ask()
  const { result, longest } = await longestBlock(longreach, ask)
  const said = result.text.slice(0, 300)
  expect({ said, meant: row.refused.includes(result.status) }).toEqual({ said, meant: true })
  expect(longest).toBeLessThan(limitMs)
  const good = await send(path, { method, body: JSON.stringify(row.good), as })
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
  expect(longest).toBeLessThan(limitMs)
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
  const credential = `Authorization: Bearer ${token}\r\nContent-Type:`
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
