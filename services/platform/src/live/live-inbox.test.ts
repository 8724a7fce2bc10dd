import { everyAction } from '@longreach/authorization/capability'
import { publish } from '@longreach/kit/events'
import { notificationsContract } from '@longreach/notifications/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { openLive } from './live-testing.ts'

const org = 'exor'
let platform: TestPlatform

beforeAll(async () => {
  platform = await testPlatform()
  const capability = { grants: { devices: everyAction }, deviceGroups: [] }
  for (const sub of ['ann', 'bob']) platform.rights[sub] = { [org]: { capability, below: true } }
})
afterAll(() => platform.close())

async function enter(sub: string) {
  const socket = await openLive(platform)
  socket.send({ op: 'hello', token: platform.tokenOf(sub, org), organization: org })
  await socket.next('ready')
  return socket
}
const tell = (sub: string, unread: number, severity: number) =>
  platform.database.db
    .transaction()
    .execute((tx) =>
      publish(tx, notificationsContract.events.inboxChanged, { sub, unread, severity }),
    )

test('the number of unread messages reaches every page of its owner, and nobody else [R-17 in part]', async () => {
  const [ann, other, bob] = [await enter('ann'), await enter('ann'), await enter('bob')]
  for (const { send, next } of [ann, other, bob]) {
    send({ op: 'sub', id: 7, kind: 'inbox' })
    expect(await next('sub')).toEqual({ op: 'sub', id: 7, ok: true })
  }
  await tell('ann', 3, 6)
  const frame = { op: 'inbox', id: 7, unread: 3, severity: 6 }
  expect(await ann.next('inbox')).toEqual(frame)
  expect(await other.next('inbox')).toEqual(frame)
  await tell('bob', 1, 2)
  expect(await bob.next('inbox')).toEqual({ op: 'inbox', id: 7, unread: 1, severity: 2 })
  expect(ann.frames.filter(({ op }) => op === 'inbox')).toEqual([])
  for (const { ws } of [ann, other, bob]) ws.close()
})

test('changes that come together are one frame with the newest number; after the end nothing comes', async () => {
  const ann = await enter('ann')
  ann.send({ op: 'sub', id: 1, kind: 'inbox' })
  await ann.next('sub')
  for (const unread of [1, 2, 3, 4]) await tell('ann', unread, unread)
  let last = await ann.next('inbox')
  while (last['unread'] !== 4) last = await ann.next('inbox')
  expect(last['severity']).toBe(4)
  ann.send({ op: 'unsub', id: 1 })
  ann.send({ op: 'ping' })
  await ann.next('pong')
  await tell('ann', 9, 6)
  ann.send({ op: 'sub', id: 2, kind: 'inbox' })
  await ann.next('sub')
  await tell('ann', 10, 6)
  let frame = await ann.next('inbox')
  while (frame['unread'] !== 10) frame = await ann.next('inbox')
  expect(frame['id']).toBe(2)
  ann.ws.close()
})

test('an inbox is not that of a device', async () => {
  const ann = await enter('ann')
  ann.send({ op: 'sub', id: 1, kind: 'inbox', device: 'aaaaaaaaaaaaaaaaaaaaaaaa' })
  expect(await ann.next('sub')).toMatchObject({ ok: false, code: 'platform.not_found' })
  ann.ws.close()
})
