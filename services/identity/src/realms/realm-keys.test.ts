import { createSecrets } from '@longreach/kit/secrets'
import { decodeProtectedHeader } from 'jose'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { IdentityDb } from '../identity-tables.ts'
import { rotateKeys } from './key-store.ts'
import { identityTest, type IdentityTest, testBrowser, tokensFor } from '../testing.ts'

let server: IdentityTest
const day = 24 * 3_600_000
const anna = { realm: 'nordwerk', username: 'anna' }

beforeAll(async () => {
  server = await identityTest()
  await server.person('nordwerk', 'anna')
})
afterAll(() => server.close())

const published = async () => {
  const answer = await fetch(server.at('nordwerk', 'certs'))
  const { keys } = (await answer.json()) as { keys: { kid: string }[] }
  return keys.map(({ kid }) => kid)
}
const kidOf = (token: string) => decodeProtectedHeader(token).kid

/** Rotate keys as the cleanup job does; another origin makes the service read its keys anew. */
const rotate = async (force = false) => {
  const db = server.database.db.withSchema('identity') as Kysely<IdentityDb>
  const now = new Date(Date.now() + server.clock.aheadMs)
  const secrets = createSecrets(Buffer.alloc(32, 7))
  await rotateKeys(db, secrets, { now, realm: 'nordwerk', force })
  await readAgain()
}
const readAgain = async () => {
  const { origin } = server.site
  server.site.origin = 'http://elsewhere.test'
  await published()
  server.site.origin = origin
}

test('a next key is published a day before it signs, and the old one stays until its tokens are dead', async () => {
  const first = await tokensFor(server, testBrowser(), anna)
  const [old] = await published()
  expect(kidOf(first.access_token)).toBe(old)
  await rotate()
  expect(await published()).toEqual([old])
  await Promise.all([rotate(true), rotate(true)])
  const both = await published()
  expect(both[0]).toBe(old)
  expect(both.length).toBeGreaterThanOrEqual(2)
  expect(kidOf((await tokensFor(server, testBrowser(), anna)).access_token)).toBe(old)

  server.clock.aheadMs += day + 1000
  await readAgain()
  const later = await tokensFor(server, testBrowser(), anna)
  expect(kidOf(later.access_token)).not.toBe(old)
  expect(await published()).toContain(old)
  const headers = { authorization: `Bearer ${first.access_token}` }
  expect((await fetch(server.at('nordwerk', 'userinfo'), { headers })).status).toBe(200)

  server.clock.aheadMs += 2 * day
  await rotate()
  expect(await published()).not.toContain(old)
  expect((await fetch(server.at('nordwerk', 'userinfo'), { headers })).status).toBe(401)
})
