import { everyAction } from '@longreach/authorization/capability'
import { publish } from '@longreach/kit/events'
import { notificationsContract } from '@longreach/notifications/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import { openLive } from './live-testing.ts'

// Two processes on one database: whichever stores a message, the pages of its owner at both show the number.

const org = 'exor'
const made: TestPlatform[] = []
beforeAll(async () => {
  const first = await testPlatform()
  made.push(first)
  made.push(await testPlatform({}, undefined, undefined, first))
  const capability = { grants: { devices: everyAction }, deviceGroups: [] }
  for (const sub of ['ann', 'bob']) first.rights[sub] = { [org]: { capability, below: true } }
})
afterAll(async () => {
  for (const platform of made.toReversed()) await platform.close()
})

async function enter(platform: TestPlatform, sub: string) {
  const socket = await openLive(platform)
  socket.send({ op: 'hello', token: platform.tokenOf(sub, org), organization: org })
  await socket.next('ready')
  socket.send({ op: 'sub', id: 1, kind: 'inbox' })
  await socket.next('sub')
  return socket
}

test('each process hears of unread messages by itself, for all browsers of a person [R-17 in part]', async () => {
  const [first, second] = made
  if (!first || !second) throw new Error('two processes run')
  const anns = [await enter(first, 'ann'), await enter(second, 'ann'), await enter(second, 'ann')]
  const bob = await enter(first, 'bob')
  for (const [unread, from] of [
    [3, first],
    [2, second],
  ] as const) {
    await from.database.db
      .transaction()
      .execute((tx) =>
        publish(tx, notificationsContract.events.inboxChanged, { sub: 'ann', unread, severity: 5 }),
      )
    for (const { next } of anns) {
      expect(await next('inbox')).toEqual({ op: 'inbox', id: 1, unread, severity: 5 })
    }
  }
  bob.send({ op: 'ping' })
  await bob.next('pong')
  expect(bob.frames.filter(({ op }) => op === 'inbox')).toEqual([])
  for (const { ws } of [...anns, bob]) ws.close()
})
