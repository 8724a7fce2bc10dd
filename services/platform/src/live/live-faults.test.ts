import { once } from 'node:events'
import type { Socket } from 'node:net'
import type { Caller } from '@longreach/kit/service'
import { publish } from '@longreach/kit/events'
import { identityContract } from '@longreach/identity/contract'
import { person } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createLiveCount } from './live-count.ts'
import { liveLimits } from './live-messages.ts'
import { openLive } from './live-testing.ts'
import {
  configurationText,
  connectDevice,
  newDeviceId,
  pair,
  testPlatform,
  type TestPlatform,
  topicOf,
  until,
} from '../platform-testing.ts'

const deviceId = newDeviceId()
const org = 'exor'
const names = ['a', 'b', 'c', 'd']
let platform: TestPlatform

/** Good until `exp`, as a signed token is; without one as long as it is not in `revoked`. */
const revoked = new Set<string>()
/** Looks at a token that wait, to be answered later. */
const slow = new Map<string, { asked: number; answer: Promise<undefined> }>()
const authenticate = async (token: string): Promise<Caller | undefined> => {
  const waiting = slow.get(token)
  if (waiting) {
    waiting.asked += 1
    return waiting.answer
  }
  if (revoked.has(token)) return undefined
  const text = Buffer.from(token.split('.').at(1) ?? token, 'base64url').toString()
  return JSON.parse(text) as Caller
}
const jwtOf = (sub: string, exp: number) =>
  `head.${Buffer.from(JSON.stringify({ ...person(sub, 'exor', org), exp })).toString('base64url')}.signature`

beforeAll(async () => {
  platform = await testPlatform({ recheckMs: 100 }, () => new Date(), authenticate)
  platform.register.devices.set(deviceId, {
    label: 'Tank',
    realm: 'exor',
    orgResourceId: org,
    groups: [],
    configuration: configurationText(
      Object.fromEntries(names.map((name) => [name, { type: 'string', history: false }])),
    ),
  })
})
afterAll(() => platform.close())

async function signedIn(sub: string, token = platform.tokenOf(sub, org)) {
  platform.member(sub, org)
  const socket = await openLive(platform)
  socket.send({ op: 'hello', token, organization: org })
  await socket.next('ready')
  return socket
}
const nowS = () => Date.now() / 1_000

test('a token that ends closes the socket, a fresh one keeps it open [C-22 in part]', async () => {
  const long = () => jwtOf('ann', nowS() + 3_600)
  const kept = await signedIn('ann', long())
  const ended = await signedIn('ann', long())
  const closed = once(ended.ws, 'close')
  kept.send({ op: 'token', token: jwtOf('ann', nowS() + 1.5) })
  kept.send({ op: 'token', token: long() })
  kept.send({ op: 'ping' })
  await kept.next('pong')
  ended.send({ op: 'token', token: jwtOf('ann', nowS() + 1.6) })
  expect((await closed)[0]).toBe(4401)
  expect(ended.frames.at(-1)).toMatchObject({ op: 'error', code: 'auth.not_signed_in' })
  kept.send({ op: 'ping' })
  await kept.next('pong')
  kept.ws.close()
})

test('rights and tokens are looked at again even if nobody tells of a change [C-22 in part]', async () => {
  const revokedLater = await signedIn('bob')
  const demoted = await signedIn('eve')
  const stays = await signedIn('ann')
  const closed = Promise.all([once(revokedLater.ws, 'close'), once(demoted.ws, 'close')])
  revoked.add(platform.tokenOf('bob', org))
  platform.rights['eve'] = {}
  expect((await closed).map(([code]) => code as number)).toEqual([4401, 4403])
  stays.send({ op: 'ping' })
  await stays.next('pong')
  stays.ws.close()
})

test('a look at an old token that ends late does not undo the fresh one [C-22 in part]', async () => {
  const old = platform.tokenOf('ann', org)
  const socket = await signedIn('ann', old)
  const { promise: answer, resolve } = Promise.withResolvers<undefined>()
  const look = { asked: 0, answer }
  slow.set(old, look)
  await until(() => look.asked > 0 || undefined, 'a look at the old token')
  socket.send({ op: 'token', token: jwtOf('ann', nowS() + 3_600) })
  socket.send({ op: 'ping' })
  await socket.next('pong')
  resolve(undefined)
  await answer
  slow.delete(old)
  socket.send({ op: 'ping' })
  await socket.next('pong')
  socket.ws.close()
})

test('a reader that stands still costs bounded memory and then gets the newest value', async () => {
  const credentials = await pair(platform, org, deviceId)
  const device = await connectDevice(credentials)
  const padding = 'x'.repeat(50_000)
  const publish = (round: number) =>
    Promise.all(
      names.map((name) => {
        const payload = JSON.stringify({ v: `${round} ${padding}`, t: Date.now() })
        return device.publishAsync(topicOf(credentials.base, name), payload, { qos: 1 })
      }),
    )
  const sockets: Socket[] = []
  platform.app.server.on('connection', (socket: Socket) => sockets.push(socket))
  const reader = await signedIn('ann')
  const line = sockets.at(-1)!
  reader.send({ op: 'sub', id: 1, kind: 'values', device: deviceId })
  await reader.next('sub')
  reader.ws.pause()

  let round = 0
  let most = 0
  const step = async () => {
    await publish(++round)
    most = Math.max(most, line.writableLength)
  }
  // What the system takes for the reader is full when it stays with us.
  while (line.writableLength < liveLimits.unread && round < 2_000) await step()
  const full = round
  while (round < full + 100) await step()
  const oneFlush = names.length * (padding.length + 200)
  expect(most).toBeGreaterThan(liveLimits.unread)
  expect(most).toBeLessThan(liveLimits.unread + oneFlush)

  reader.ws.resume()
  const newest = new Set<string>()
  await until(() => {
    for (const { v = [] } of reader.frames.splice(0)) {
      for (const [, path, , value] of v) {
        if (String(value).startsWith(`${round} `)) newest.add(String(path))
      }
    }
    return newest.size === names.length || undefined
  }, 'the newest values')
  reader.ws.close()
  await device.endAsync()
})

test('an ended session closes each of its sockets, and no other one', async () => {
  const tokenOf = (sub: string, session: string) =>
    `head.${Buffer.from(JSON.stringify({ ...person(sub, 'exor', org), session })).toString('base64url')}.signature`
  const [one, two] = [
    await signedIn('ann', tokenOf('ann', 's1')),
    await signedIn('ann', tokenOf('ann', 's1')),
  ]
  const other = await signedIn('ann', tokenOf('ann', 's2'))
  const closed = Promise.all([one, two].map(({ ws }) => once(ws, 'close')))
  const { db } = platform.database
  const told = { session: 's1', sub: 'ann' }
  await db.transaction().execute((tx) => publish(tx, identityContract.events.sessionEnded, told))
  await platform.settle()
  expect((await closed).map(([code]) => code as number)).toEqual([4401, 4401])
  other.send({ op: 'ping' })
  await other.next('pong')
  other.ws.close()
})

test('a session has so many sockets, and a closed one makes room', async () => {
  const sockets = []
  for (let n = 0; n < liveLimits.perSession; n += 1) sockets.push(await signedIn('max'))
  const beyond = await openLive(platform)
  const closed = once(beyond.ws, 'close')
  const hello = { op: 'hello', token: platform.tokenOf('max', org), organization: org }
  beyond.send(hello)
  expect((await closed)[0]).toBe(4429)
  // Another person is not kept out.
  const ben = await signedIn('ben')
  const [first, ...others] = sockets
  const gone = once(first!.ws, 'close')
  first!.ws.close()
  await gone
  const again = async () => {
    const socket = await openLive(platform)
    others.push(socket)
    socket.send(hello)
    await until(() => socket.frames.length > 0 || socket.ws.readyState > 1, 'an answer')
    return socket.frames[0]?.op
  }
  await expect.poll(again).toBe('ready')
  for (const { ws } of [...others, ben]) ws.close()
})

test('sockets of a network without a hello are few, and leave room for those with one', () => {
  const count = createLiveCount({ perSession: 2, perNetwork: 4, ungreeted: 2 })
  const [first, second] = [count.open('a'), count.open('a')]
  expect(count.open('a')).toBeUndefined()
  expect(first?.greet(person('ann', 'exor', org))).toBe(true)
  const third = count.open('a')
  expect(count.open('a')).toBeUndefined()
  const foreign = count.open('b')
  for (const one of [first, second, third, foreign]) one?.close()
  expect(count.isEmpty()).toBe(true)
})
