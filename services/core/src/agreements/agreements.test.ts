import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'
import { versionsInForce } from './agreement-rules.ts'

let server: TestServer
let seeded: Seeded
let clock = new Date('2026-01-05T12:00:00Z')
const day = 86_400_000
const later = (days: number) => new Date(clock.getTime() + days * day)

beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer, now: () => clock })
  seeded = await seed(server)
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], coreContract)
const params = { org: 'nordwerk' }
const serviceName = 'corvina-cloud-agreements'
const terms = {
  type: 'TERM',
  defaultName: 'Terms of use',
  texts: { en: { text: 'Be kind.' }, de: { title: 'Bedingungen', text: 'Seien Sie nett.' } },
} as const
const make = (body = {}, who: Who = 'owner') =>
  as(who).createAgreement({ params, body: { ...terms, ...body } })
const check = async (who: Who, name?: string) =>
  (await as(who).agreementsCheck({ query: name === undefined ? {} : { serviceName: name } })).types
const accept = (who: Who, ...ids: number[]) => as(who).acceptAgreements({ body: { ids } })

test('what is in force is asked for until it is accepted, by a list of ids, for each service name [E-10] [C-14]', async () => {
  expect(await check('viewer')).toEqual([])
  const first = await make()
  const privacy = await make({
    type: 'PRIVACY',
    defaultName: 'Privacy',
    link: 'https://x.example/p',
  })
  const notice = await make({ type: 'MAINTENANCE', defaultName: 'Sunday', mandatory: false })
  expect(first).toMatchObject({ version: 1, mandatory: true, disabled: false, acceptances: 0 })
  expect((await check('viewer')).toSorted()).toEqual(['MAINTENANCE', 'PRIVACY', 'TERM'])
  expect((await check('viewer', serviceName)).toSorted()).toEqual(['PRIVACY', 'TERM'])
  expect(await check('viewer', 'corvina-cloud-global-notification')).toEqual(['MAINTENANCE'])
  expect(await check('viewer', 'some-other-service')).toEqual([])
  const accepted = await accept('viewer', first.id, privacy.id, first.id)
  expect(accepted.map(({ id }) => id).toSorted()).toEqual([first.id, privacy.id].toSorted())
  expect(accepted[0]?.acceptedAt).toEqual(clock)
  expect(await check('viewer')).toEqual(['MAINTENANCE'])
  await accept('viewer', notice.id)
  expect(await check('viewer')).toEqual([])
  const last = await as('viewer').agreementsLast({ query: { serviceName } })
  expect(last).toHaveLength(2)
  expect(last.find(({ type }) => type === 'TERM')).toMatchObject({
    id: first.id,
    defaultName: 'Terms of use',
    texts: { de: { title: 'Bedingungen', text: 'Seien Sie nett.' } },
  })
})

test('acceptance says who, when, which version and from where, and accepting again changes nothing [E-10]', async () => {
  const [terms] = await as('owner').agreements({ params })
  const [one] = (await as('operator').agreementsLast({ query: { serviceName } })).filter(
    ({ type }) => type === 'TERM',
  )
  await Promise.all(Array.from({ length: 4 }, () => accept('operator', one!.id)))
  clock = later(1)
  await accept('operator', one!.id)
  const inOrg = { ...params, agreement: one!.id }
  const { content, totalElements } = await as('owner').acceptances({ params: inOrg, query: {} })
  expect(totalElements).toBe(2)
  expect(content.find(({ username }) => username === 'oskar')).toEqual({
    sub: seeded.people.operator.sub,
    username: 'oskar',
    version: 1,
    acceptedAt: later(-1),
    ip: '127.0.0.1',
  })
  const found = await as('owner').acceptances({ params: inOrg, query: { search: 'VER' } })
  expect(found.content.map(({ username }) => username)).toEqual(['vera'])
  expect(terms).toBeDefined()
})

test('a new version is asked for again, from its first day; the old one cannot be accepted any more [C-14]', async () => {
  const [old] = await as('member').agreementsLast({ query: { serviceName } })
  const future = await make({ validityStart: later(3) })
  expect(future.version).toBe(2)
  expect(await check('operator', serviceName)).not.toContain('TERM')
  await expect(accept('operator', future.id)).rejects.toMatchObject({
    status: 409,
    code: 'core.agreement_outdated',
  })
  clock = later(4)
  expect(await check('operator', serviceName)).toContain('TERM')
  const before = old?.type === 'TERM' ? old.id : undefined
  if (before !== undefined) await expect(accept('member', before)).rejects.toThrow('outdated')
  await accept('operator', future.id)
  const change = { params: { ...params, agreement: future.id } }
  await as('owner').changeAgreement({ ...change, body: { disabled: true } })
  // The version before is in force again, and who accepted that is not asked.
  expect(await check('viewer', serviceName)).toEqual([])
  await as('owner').changeAgreement({ ...change, body: { disabled: false, validityEnd: later(1) } })
  expect(await check('viewer', serviceName)).toEqual(['TERM'])
  clock = later(2)
  expect(await check('viewer', serviceName)).toEqual([])
})

test('two new versions at once are two versions', async () => {
  const made = await Promise.all(Array.from({ length: 4 }, () => make({ type: 'PRIVACY' })))
  const versions = made.map(({ version }) => version)
  expect(new Set(versions).size).toBe(4)
})

test('another realm sees, changes and accepts nothing of it', async () => {
  const [one] = await as('owner').agreements({ params })
  expect(await check('foreigner')).toEqual([])
  expect(await as('foreigner').agreementsLast({ query: {} })).toEqual([])
  const own = await as('foreigner').createAgreement({ params: { org: 'acqua' }, body: terms })
  await expect(accept('foreigner', one!.id)).rejects.toMatchObject({ status: 404 })
  // Every id counts, not the first only.
  await expect(accept('foreigner', own.id, one!.id)).rejects.toMatchObject({ status: 404 })
  expect(await check('foreigner')).toEqual(['TERM'])
  const wrong = { org: 'acqua', agreement: one!.id }
  const foreign = { status: 404 }
  await expect(as('foreigner').agreements({ params })).rejects.toMatchObject(foreign)
  await expect(
    as('foreigner').changeAgreement({ params: wrong, body: { disabled: true } }),
  ).rejects.toMatchObject(foreign)
  await expect(as('foreigner').acceptances({ params: wrong, query: {} })).rejects.toMatchObject(
    foreign,
  )
})

test('only who may change the root organization makes agreements, and only there', async () => {
  const refused = { status: 403, code: 'auth.missing_permission' }
  await expect(make({}, 'parentPlain')).rejects.toMatchObject(refused)
  await expect(as('parentPlain').agreements({ params })).rejects.toMatchObject(refused)
  const below = { params: { org: 'nordwerk.service' } }
  await expect(as('administrator').agreements(below)).rejects.toMatchObject({ status: 404 })
  await expect(
    as('administrator').createAgreement({ ...below, body: terms }),
  ).rejects.toMatchObject({ status: 404 })
})

test('nobody accepts in another’s place', async () => {
  const [one] = await as('viewer').agreementsLast({ query: { serviceName } })
  const body = { ids: [one!.id] }
  const impersonator = { sub: seeded.people.owner.sub, username: 'owner' }
  for (const more of [{ impersonator }, { serviceAccount: true }]) {
    const other = server.as({ ...seeded.people.viewer, ...more }, coreContract)
    await expect(other.acceptAgreements({ body })).rejects.toMatchObject({
      status: 403,
      code: 'core.only_oneself',
    })
  }
})

test.each([
  [{ link: 'javascript:alert(1)' }, 400, undefined],
  [{ link: 'http://' }, 400, undefined],
  [{ defaultName: ' ' }, 400, undefined],
  [{ type: 'OTHER' }, 400, undefined],
  [{ texts: {}, link: '' }, 422, 'texts'],
  [{ validityEnd: new Date('2020-01-01') }, 422, 'validityEnd'],
])('%j is refused by name', async (body, status, field) => {
  const details = field === undefined ? {} : { details: { field } }
  await expect(make(body)).rejects.toMatchObject({ status, ...details })
  await expect(accept('viewer')).rejects.toMatchObject({ status: 400 })
})

test('in force is the newest valid version of each service and type', () => {
  const version = (number: number, more = {}) => ({
    service_name: 's',
    type: 'TERM' as const,
    version: number,
    disabled: false,
    validity_start: new Date(0),
    validity_end: null,
    ...more,
  })
  const now = new Date(1000)
  const found = (...all: ReturnType<typeof version>[]) =>
    versionsInForce(all, now).map((one) => one.version)
  expect(found(version(1), version(2))).toEqual([2])
  expect(found(version(2, { disabled: true }), version(1))).toEqual([1])
  expect(found(version(1), version(2, { validity_start: new Date(1001) }))).toEqual([1])
  expect(found(version(1, { validity_end: new Date(1000) }))).toEqual([])
  expect(
    found(version(1), version(1, { type: 'PRIVACY' }), version(1, { service_name: 't' })),
  ).toEqual([1, 1, 1])
})
