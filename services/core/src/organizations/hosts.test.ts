import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import { hostOf } from './host-rules.ts'

let server: TestServer
let seeded: Seeded
let clock = new Date('2026-01-05T12:00:00Z')
const origin = 'https://portal.example.org'

beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer, now: () => clock })
  server.site.origin = origin
  seeded = await seed(server)
})
afterAll(() => server.close())
beforeEach(() => {
  clock = new Date(clock.getTime() + 3_600_000)
})

const ask = (hostname: string, realm?: string) =>
  server
    .as(undefined, coreContract)
    .loginInfo({ query: { hostname, ...(realm !== undefined && { realm }) } })
const owner = () => server.as(seeded.people.owner, coreContract)
const setHost = (org: string, hostname: string | null) =>
  owner().updateOrganization({
    params: { org },
    query: {},
    body: { hostname, allowHostname: true },
  })

test('the name of a root before the installation’s host opens its realm and chooses it [C-04] [P-02]', async () => {
  const nordwerk = { realmName: 'nordwerk', organization: 'nordwerk', origin }
  expect(await ask('nordwerk.portal.example.org')).toEqual(nordwerk)
  expect(await ask('NORDWERK.Portal.Example.org.:8443')).toEqual(nordwerk)
  // What somebody typed in another organization does not count there.
  expect(await ask('nordwerk.portal.example.org', 'acqua')).toEqual(nordwerk)
  expect(await ask('portal.example.org', 'acqua')).toEqual({ realmName: 'acqua' })
})

test('a host name of its own opens a sub-organization, in its realm', async () => {
  await setHost('nordwerk.press', 'press.plant.example')
  const press = { realmName: 'nordwerk', organization: 'nordwerk.press', origin }
  expect(await ask('Press.Plant.example')).toEqual(press)
  await setHost('nordwerk.press', null)
  await expect(ask('press.plant.example')).rejects.toMatchObject({ status: 404 })
})

test('identity is told the labels of a realm’s own organizations only', async () => {
  await setHost('nordwerk.press', 'press')
  await setHost('nordwerk.service', 'other.example')
  const hosts = (realm: string) => server.asService(coreContract).realmHosts({ query: { realm } })
  expect(await hosts('nordwerk')).toEqual(['nordwerk', 'press'])
  expect(await hosts('acqua')).toEqual(['acqua'])
  await setHost('nordwerk.press', null)
  await setHost('nordwerk.service', null)
  expect(await hosts('nordwerk')).toEqual(['nordwerk'])
})

test('a host that is nobody’s, a deleted one’s and another’s tell nothing', async () => {
  const params = { org: 'nordwerk' }
  const body = { name: 'gone', label: 'Gone', hostname: 'gone.example', allowHostname: true }
  const gone = await owner().createOrganization({ params, query: {}, body })
  expect(await ask('gone.example')).toMatchObject({ organization: 'nordwerk.gone' })
  await owner().deleteOrganization({ params: { org: String(gone.id) }, query: {} })
  const answers = await Promise.all(
    ['gone.example', 'never.example', 'press.portal.example.org', 'x.y.portal.example.org'].map(
      (host) => ask(host).catch((error: { code: string; status: number }) => error),
    ),
  )
  for (const answer of answers) {
    expect(answer).toMatchObject({ status: 404, code: 'core.no_such_host' })
    expect(JSON.stringify(answer)).not.toMatch(/nordwerk|acqua/)
  }
})

test('nobody takes the host of the installation or of a root by giving it to their own', async () => {
  await setHost('nordwerk.service', 'portal.example.org')
  await expect(ask('portal.example.org')).rejects.toMatchObject({ code: 'core.no_such_host' })
  await setHost('nordwerk.service', 'acqua.portal.example.org')
  expect(await ask('acqua.portal.example.org')).toMatchObject({ realmName: 'acqua' })
  await setHost('nordwerk.service', null)
})

test('attack 123: guessing names of organizations is slow, and signing in without one is not', async () => {
  for (let n = 0; n < 30; n++) {
    await expect(ask('portal.example.org', `guess-${n}`)).rejects.toMatchObject({ status: 404 })
  }
  for (const [host, realm] of [
    ['portal.example.org', 'acqua'],
    ['acqua.portal.example.org', undefined],
  ] as const) {
    await expect(ask(host, realm)).rejects.toMatchObject({
      status: 429,
      code: 'core.too_many_attempts',
    })
  }
  await expect(ask('portal.example.org')).rejects.toMatchObject({ status: 404 })
  clock = new Date(clock.getTime() + 11 * 60_000)
  expect(await ask('portal.example.org', 'acqua')).toEqual({ realmName: 'acqua' })
})

test('attack 123: a person looks up sixty names in a minute, not a list', async () => {
  const exists = (n: number) => owner().userExists({ params: { name: `name-${n}` } })
  for (let n = 0; n < 60; n++) expect(await exists(n)).toBe(false)
  await expect(exists(60)).rejects.toMatchObject({ status: 429 })
  const other = server.as(seeded.people.viewer, coreContract)
  expect(await other.userExists({ params: { name: 'oskar' } })).toBe(true)
})

test.each([
  ['nordwerk.base.example', 'base.example', 'nordwerk'],
  ['a.b.base.example', 'base.example', undefined],
  ['evilbase.example', 'base.example', undefined],
  ['base.example', 'base.example', undefined],
  ['nordwerk.localhost:8080', 'localhost', 'nordwerk'],
  ['_.base.example', 'base.example', undefined],
])('before %s below %s stands %s', (host, base, label) => {
  expect(hostOf(host, base).label).toBe(label)
})
