import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { coreContract } from '@longreach/core/contract'
import { client } from '@longreach/kit/client'
import { testDatabase } from '@longreach/kit/test-database'
import { platformContract } from '@longreach/platform/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { compose, type Composed } from './compose.ts'
import { firstRun } from './run.ts'
import { chosenServices, elsewhere } from './services.ts'
import { readSettings, SettingsError } from './settings.ts'

// A process of platform alone, beside one with the rest.

const owner = { username: 'owner', password: 'lake-anvil-violet-7' }
let database: Awaited<ReturnType<typeof testDatabase>>
let folder: string
const servers: Composed[] = []
const running: { close: () => Promise<void> }[] = []
beforeAll(async () => {
  database = await testDatabase()
  folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-split-'))
})
afterAll(async () => {
  for (const one of running.toReversed()) await one.close()
  for (const one of servers.toReversed()) await one.close()
  await database?.close()
  if (folder) await rm(folder, { recursive: true, force: true })
})

const settingsOf = (more: Record<string, string>) => {
  const { host, user, database: name } = database.connection
  return readSettings({
    DATABASE_URL: `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`,
    DATA_DIR: path.join(folder, more['SERVICES'] ?? 'all'),
    PORT: '0',
    MQTT_PORT: '0',
    MASTER_KEY: '7'.repeat(64),
    LOG_LEVEL: 'silent',
    ...more,
  })
}

async function start(services: string, others: Record<string, string>) {
  const server = await compose(settingsOf({ SERVICES: services }), { others })
  servers.push(server)
  const origin = await server.app.listen({ port: 0, host: '127.0.0.1' })
  server.site.origin = origin
  running.push(await server.start())
  return { server, origin }
}

test('platform runs in a process without core: it admits people and tells no setup token [C-01 in part]', async () => {
  const main = await start('identity,core,mappings,alarms,notifications,triggers,audit', {})
  const others = Object.fromEntries(
    ['identity', 'core', 'mappings', 'alarms', 'triggers'].map((name) => [name, main.origin]),
  )
  const { server, origin } = await start('platform', others)
  expect(await firstRun(server, settingsOf({ SERVICES: 'platform' }))).toBeUndefined()
  expect(await firstRun(main.server, settingsOf({ SERVICES: 'core' }))).toContain('one-time token')

  const core = client(coreContract, await main.server.fetchAsService())
  await core.createRoot({ body: { name: 'nordwerk', label: 'Nordwerk', owner } })
  const { owners } = await core.roots({})
  const { sub = '' } = owners.find(({ realm }) => realm === 'nordwerk') ?? {}
  const person = { sub, realm: 'nordwerk', username: owner.username }
  const platform = client(platformContract, await server.fetchAsPerson(person))
  const params = { org: 'nordwerk' }
  expect(await platform.storage({ params })).toMatchObject({ organizations: [] })
  const stranger = client(
    platformContract,
    await server.fetchAsPerson({ ...person, sub: 'nobody' }),
  )
  await expect(stranger.storage({ params })).rejects.toMatchObject({ status: 404 })
  expect((await fetch(`${origin}/svc/platform/api/v1/organizations/nordwerk/storage`)).status).toBe(
    401,
  )
})

test('two processes that start at once on an empty database both start', async () => {
  const empty = await testDatabase()
  const { host, user, database: name } = empty.connection
  const url = `postgres://${user}@/${name}?host=${encodeURIComponent(host)}`
  // They would reach each other over NATS, which is away.
  const settings = { DATABASE_URL: url, NATS_URL: 'nats://127.0.0.1:9' }
  const both = await Promise.all(
    ['a', 'b'].map((one) =>
      compose(settingsOf({ ...settings, DATA_DIR: path.join(folder, one) }), { others: {} }),
    ),
  )
  for (const server of both) {
    const answer = await server.app.inject({ url: '/svc/core/api/v1/setup' })
    expect(answer.json()).toEqual({ needed: true })
    await server.close()
  }
  await empty.close()
})

test('another master key than the database has is said before anything listens', async () => {
  const wrong = settingsOf({
    MASTER_KEY: '8'.repeat(64),
    DATA_DIR: path.join(folder, 'wrong'),
    SERVICES: 'identity,core,mappings',
  })
  await expect(compose(wrong, { others: {} })).rejects.toThrow(
    'The master key is not the one that this database was made with. Set MASTER_KEY to that key',
  )
})

test('a process that leaves out what it needs says which setting is missing', async () => {
  const missing = chosenServices(['platform'], { keycloak: undefined }, { core: 'http://a' })
  await expect(missing).rejects.toThrow(SettingsError)
  await expect(missing).rejects.toThrow(/IDENTITY_URL[^]*MAPPINGS_URL/)
  expect(() => elsewhere({ CORE_URL: 'core.internal' })).toThrow('CORE_URL must be an origin')
  expect(elsewhere({ CORE_URL: 'http://core.internal:8080/' })).toEqual({
    core: 'http://core.internal:8080',
  })
})
