import type { Action } from '@longreach/authorization/permissions'
import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import {
  addPerson,
  coreAuthorizer,
  identityForTests,
  seed,
  type Seeded,
} from '@longreach/core/testing'
import { on } from '@longreach/kit/events'
import type { Caller } from '@longreach/kit/service'
import { joinContracts } from '@longreach/kit/contract'
import { definePart } from '@longreach/kit/part'
import { defineService } from '@longreach/kit/service'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import { occurrencesContract } from '../occurrences/contract.ts'
import { rulesContract } from './contract.ts'
import { rules } from './part.ts'

type Told = { ruleId: string; models: string[]; isDeleted: boolean }
const told: Told[] = []
/** Listener that keeps what other services are told. */
const listener = definePart<AlarmsDeps>()({
  name: 'listener',
  consumers: () => [on(rulesContract.events.rulesChanged, async (event) => void told.push(event))],
})
const alarms = defineService({
  contract: joinContracts(
    { service: 'alarms', base: '/svc/platform/api/v1/alarms', errors: { not_found: 404 } },
    [{ events: occurrencesContract.events }, rulesContract],
  ),
  needs: { core: coreContract, mappings: mappingsContract },
  migrations: new URL('../migrations/', import.meta.url),
  parts: [rules, listener],
})

let server: TestServer
let people: Seeded['people']
let organizations: Seeded['organizations']
const organization = 'nordwerk.service'
const query = { organization }
const as = (who: keyof Seeded['people']) => server.as(people[who], alarmsContract)

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings, alarms], { admit: coreAuthorizer })
  ;({ people, organizations } = await seed(server))
  const data = {
    type: 'object',
    UUID: null,
    properties: {
      temperature: { type: 'double', unit: '°C' },
      heater: { type: 'boolean' },
    },
    label: '',
    unit: '',
    description: '',
    tags: [],
  }
  const models = server.as(people.administrator, mappingsContract)
  await models.createModel({ query, body: { name: 'Oven', data } })
})
afterAll(() => server.close())

const hot = (more: object = {}) => ({
  name: 'Zone too hot',
  kind: 'condition',
  scope: { model: 'Oven:1' },
  when: { path: 'Oven:1/temperature', op: '>' },
  levels: [{ severity: 5, value: 230, clear: 225 }],
  onDelayMs: 10_000,
  ...more,
})
const create = (rule: unknown, more: object = {}) =>
  as('administrator').createRule({ query, body: { rule, ...more } })
const idOfFirst = async () => (await as('viewer').rules({ query })).data[0]?.id ?? ''
const deviceId = 'AAAAAAAAAAAAAAAAAAAAAA'
const forDevice = async (
  orgResourceId: string,
  model = 'Oven:1',
  modelOrganization = organization,
) => {
  const asked = { params: { deviceId }, query: { orgResourceId, model, modelOrganization } }
  const { rules: found } = await server.asService(alarmsContract).rulesForDevice(asked)
  return found
}

test('a rule is completed, listed, changed as its next version, and told to those who judge', async () => {
  const made = await create(hot())
  expect(made).toMatchObject({
    orgResourceId: organization,
    version: 1,
    below: false,
    updatedBy: 'adam',
    open: 0,
    rule: { ...hot(), ack: true, reset: false, quality: 'hold' },
  })
  const params = { id: made.id }
  const changed = await as('administrator').replaceRule({
    params,
    query: { ...query, version: 1 },
    body: { rule: hot({ onDelayMs: 5_000 }) },
  })
  expect(changed).toMatchObject({ version: 2, rule: { onDelayMs: 5_000 } })
  const again = as('administrator').replaceRule({
    params,
    query: { ...query, version: 1 },
    body: { rule: hot() },
  })
  await expect(again).rejects.toMatchObject({
    status: 409,
    code: 'alarms.rule_changed',
    details: { version: 2 },
  })
  const { data } = await as('viewer').ruleVersions({ params, query })
  expect(data.map(({ version, rule }) => [version, rule['onDelayMs']])).toEqual([
    [2, 5_000],
    [1, 10_000],
  ])
  const restored = await as('administrator').restoreRule({ params, query, body: { version: 1 } })
  expect(restored).toMatchObject({ version: 3, rule: { onDelayMs: 10_000 } })
  const listed = await as('viewer').rules({ query: { ...query, search: 'TOO' } })
  expect(listed).toMatchObject({
    totalElements: 1,
    last: true,
    data: [{ id: made.id, version: 3 }],
  })
  expect(await forDevice(organization)).toMatchObject([{ id: made.id, version: 3, override: null }])
  await as('administrator').deleteRule({ params, query })
  expect((await as('viewer').rules({ query })).data).toEqual([])
  expect(await forDevice(organization)).toEqual([])
  await server.settle()
  expect(told.filter(({ ruleId }) => ruleId === made.id)).toMatchObject([
    { models: ['Oven:1'], isDeleted: false },
    { isDeleted: false },
    { isDeleted: false },
    { isDeleted: true },
  ])
})

test('a rule judges devices below only if it reaches down, and never those beside', async () => {
  const own = await create(hot({ name: 'Here' }))
  const below = await create(hot({ name: 'Here and below' }), { below: true })
  const ids = async (org: string) => (await forDevice(org)).map(({ id }) => id).toSorted()
  expect(await ids(organization)).toEqual([own.id, below.id].toSorted())
  expect(await ids(`${organization}.italy`)).toEqual([below.id])
  expect(await ids('nordwerk')).toEqual([])
  expect(await ids('nordwerk.serviceplus')).toEqual([])
  // By the name of the model and its first number, as the paths of the device begin.
  expect(await forDevice(organization, 'Oven:2')).toEqual([])
  expect(await forDevice(`${organization}.italy`, 'Oven:2')).toEqual([])
  for (const { id } of [own, below]) await as('administrator').deleteRule({ params: { id }, query })
})

/** Groups in each other. */
const nested = (depth: number): object => {
  let inner: object = { path: 'Oven:1/temperature', op: '>' }
  for (let level = 0; level < depth; level += 1) inner = { all: [inner] }
  return inner
}

test.each([
  ['no object', 7, '', 'wrong_type'],
  [
    'an unknown path',
    hot({ when: { path: 'temprature', op: '>' } }),
    'when.path',
    'unknown_path_similar',
  ],
  ['an unknown model', hot({ scope: { model: 'Owen:1' } }), 'scope.model', 'unknown_path'],
  ['an unknown device', hot({ scope: { deviceId } }), 'scope.deviceId', 'unknown_path'],
  ['an unknown device group', hot({ deviceGroups: ['99'] }), 'deviceGroups.0', 'unknown_path'],
  ['a delay below zero', hot({ onDelayMs: -1 }), 'onDelayMs', 'too_small'],
  ['a delay over a year', hot({ offDelayMs: 31_536_000_001 }), 'offDelayMs', 'too_large'],
  [
    'levels out of order',
    hot({
      levels: [
        { severity: 3, value: 230 },
        { severity: 5, value: 200 },
      ],
    }),
    'levels.1.value',
    'levels_value_order',
  ],
  [
    'a formula that does not end',
    hot({ when: { formula: '(1 + ', op: '>' } }),
    'when.formula',
    'formula',
  ],
  [
    'a schedule without a day',
    hot({
      schedule: { zone: 'device', times: [{ days: [], from: '06:00', to: '22:00' }] },
    }),
    'schedule.times.0.days',
    'schedule_no_day',
  ],
  [
    'an unknown zone',
    hot({
      schedule: { zone: 'Europe/Atlantis', times: [{ days: [1], from: '06:00', to: '22:00' }] },
    }),
    'schedule.zone',
    'unknown_zone',
  ],
  [
    '1,000 levels of brackets',
    hot({ when: nested(1_000) }),
    `when${'.all.0'.repeat(16)}`,
    'too_deep',
  ],
  [
    'an end on the wrong side',
    hot({ levels: [{ severity: 5, value: 230, clear: 240 }] }),
    'levels.0.clear',
    'clear_wrong_side',
  ],
  [
    'a text with an unknown placeholder',
    hot({ texts: { en: '{tmperature}' } }),
    'texts.en',
    'unknown_placeholder',
  ],
])('%s is refused with its place, and nothing is stored', async (_, rule, place, code) => {
  const refused = create(rule)
  await expect(refused).rejects.toMatchObject({
    status: 422,
    code: 'alarms.rule_invalid',
    details: { issues: [expect.objectContaining({ place, code })] },
  })
  const judged = await as('viewer').validateRule({ query, body: { rule } })
  expect(judged).toMatchObject({ ok: false, issues: [{ place, code }] })
  expect((await as('viewer').rules({ query })).totalElements).toBe(0)
})

test('rules that would suppress each other are refused with their names, also when both are saved at once', async () => {
  const first = await create(hot({ name: 'First' }))
  const second = await create(hot({ name: 'Second', unless: { rule: first.id } }))
  const change = as('administrator').replaceRule({
    params: { id: first.id },
    query,
    body: { rule: hot({ name: 'First', unless: { rule: second.id } }) },
  })
  const chain = 'First → Second → First'
  await expect(change).rejects.toMatchObject({
    status: 422,
    details: { issues: [{ place: 'unless.rule', code: 'unless_cycle', params: { chain } }] },
  })
  const plain = hot({ name: 'Second' })
  const saveAs = (id: string, rule: object) =>
    as('administrator').replaceRule({ params: { id }, query, body: { rule } })
  await saveAs(second.id, plain)
  const both = await Promise.allSettled([
    saveAs(first.id, hot({ name: 'First', unless: { rule: second.id } })),
    saveAs(second.id, hot({ name: 'Second', unless: { rule: first.id } })),
  ])
  expect(both.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  for (const { id } of [second, first])
    await as('administrator').deleteRule({ params: { id }, query })
})

test('of two rules with one name that are saved at once one is refused', async () => {
  const both = await Promise.allSettled([create(hot()), create(hot({ name: 'zone TOO hot' }))])
  const refused = both.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []))
  expect(refused).toMatchObject([{ status: 409, code: 'alarms.rule_exists' }])
  const id = await idOfFirst()
  await as('administrator').deleteRule({ params: { id }, query })
})

test('who may only read changes nothing, and another organization finds nothing', async () => {
  const { id } = await create(hot())
  const params = { id }
  const body = { rule: hot() }
  await expect(as('viewer').createRule({ query, body })).rejects.toMatchObject({ status: 403 })
  await expect(as('viewer').replaceRule({ params, query, body })).rejects.toMatchObject({
    status: 403,
  })
  await expect(as('viewer').deleteRule({ params, query })).rejects.toMatchObject({ status: 403 })
  const there = { organization: 'nordwerk.press' }
  const foreign = as('neighbour')
  const calls = [
    foreign.rule({ params, query: there }),
    foreign.replaceRule({ params, query: there, body }),
    foreign.deleteRule({ params, query: there }),
    foreign.ruleVersions({ params, query: there }),
    foreign.restoreRule({ params, query: there, body: { version: 1 } }),
    foreign.overrides({ params, query: there }),
  ]
  for (const one of await Promise.allSettled(calls))
    expect(one).toMatchObject({ status: 'rejected', reason: { code: 'alarms.not_found' } })
  expect((await foreign.rules({ query: there })).data).toEqual([])
  await as('administrator').deleteRule({ params, query })
})

/** Person of the organization above with a role that reaches down, and what it says about alarms. */
async function above(username: string, actions: Action[]) {
  const core = server.as(people.owner, coreContract)
  const alarmRights = actions.length > 0 ? [{ resource: 'alarms' as const, actions }] : []
  const rules = [{ resource: 'devices' as const, actions: ['read' as const] }, ...alarmRights]
  const role = { name: `of_${username}`, label: username, inherit: true, rules }
  await core.createRole({ params: { org: 'nordwerk' }, body: role })
  const joining = { org: organizations.nordwerk, username, roles: [role.name] }
  return addPerson(server, people.owner, joining)
}

test('a rule of an organization below shows what one may do with it, and lets one do that alone', async () => {
  const { id } = await create(hot({ name: 'Below' }))
  const [params, whole] = [{ id }, { organization: 'nordwerk.*' }]
  const callsOf = (caller: Caller) => {
    const calls = server.as(caller, alarmsContract)
    const body = { rule: hot({ name: 'Below' }) }
    return {
      list: async () =>
        (await calls.rules({ query: whole })).data
          .filter((one) => one.id === id)
          .map(({ may }) => may),
      read: async () => (await calls.rule({ params, query: whole })).may,
      readThere: async () => (await calls.rule({ params, query })).may,
      change: async () => (await calls.replaceRule({ params, query, body })).may,
      restore: async () => (await calls.restoreRule({ params, query, body: { version: 1 } })).may,
      remove: () => calls.deleteRule({ params, query }),
    }
  }
  type Answers = { [K in keyof ReturnType<typeof callsOf>]: unknown }
  const answersOf = async (caller: Caller): Promise<Answers> => {
    const answers: [string, unknown][] = []
    for (const [name, call] of Object.entries(callsOf(caller)))
      answers.push([name, await call().catch(({ status }: { status: number }) => status)])
    return Object.fromEntries(answers) as Answers // of the same calls
  }
  const each = (seen: unknown, rest: unknown) => ({
    list: seen,
    read: rest,
    readThere: rest,
    change: rest,
    restore: rest,
    remove: rest,
  })
  const may = ['update']
  expect(await answersOf(await above('nora', []))).toEqual(each(403, 403))
  expect(await answersOf(await above('rita', ['read']))).toEqual({
    ...each([[]], 403),
    read: [],
    readThere: [],
  })
  expect(await answersOf(await above('uta', ['read', 'update']))).toEqual({
    ...each([may], may),
    remove: 403,
  })
  // A role that does not reach down, and people of other organizations.
  expect(await answersOf(people.parentPlain)).toEqual({ ...each([], 404) })
  expect(await answersOf(people.neighbour)).toEqual(each(404, 404))
  expect(await answersOf(people.foreigner)).toEqual(each(404, 404))
  const both = ['update', 'delete']
  expect(await answersOf(people.owner)).toEqual({ ...each([both], both), remove: undefined })
  expect((await as('viewer').rules({ query })).data).toEqual([])
})

test('rules travel as a file: first it is said what would be done, then all are taken or none', async () => {
  const posted = [
    { rule: hot() },
    {
      rule: hot({
        name: 'Cold',
        when: { path: 'nothing', op: '<' },
        levels: [{ severity: 5, value: 5 }],
      }),
    },
    { rule: hot({ name: 'Elsewhere', scope: { model: 'Owen:1' } }) },
  ]
  const tried = await as('administrator').importRules({ query, body: { rules: posted } })
  expect(tried.data).toMatchObject([
    { name: 'Zone too hot', outcome: 'new', issues: [] },
    { name: 'Cold', outcome: 'invalid', issues: [{ place: 'when.path' }] },
    { name: 'Elsewhere', outcome: 'invalid', issues: [{ place: 'scope.model' }] },
  ])
  const taking = { ...query, dryRun: 'false' as const }
  const all = as('administrator').importRules({ query: taking, body: { rules: posted } })
  await expect(all).rejects.toMatchObject({
    status: 422,
    details: {
      issues: [{ place: 'rules.1.rule.when.path' }, { place: 'rules.2.rule.scope.model' }],
    },
  })
  expect((await as('viewer').rules({ query })).totalElements).toBe(0)
  await as('administrator').importRules({ query: taking, body: { rules: posted.slice(0, 1) } })
  const exported = await as('viewer').exportRules({ query })
  expect(exported.rules).toMatchObject([{ below: false, rule: hot() }])
  const same = await as('administrator').importRules({ query, body: exported })
  expect(same.data).toMatchObject([{ outcome: 'same' }])
})

test('a file whose rules would suppress each other is refused whole', async () => {
  const first = await create(hot({ name: 'First' }))
  const second = await create(hot({ name: 'Second' }))
  const taking = { ...query, dryRun: 'false' as const }
  const unless = (name: string, rule?: string) => ({
    rule: hot({ name, ...(rule && { unless: { rule } }) }),
  })
  const bring = (...rules: object[]) =>
    as('administrator').importRules({ query: taking, body: { rules: rules as { rule: object }[] } })
  await expect(bring(unless('First', second.id), unless('Second', first.id))).rejects.toMatchObject(
    {
      status: 422,
      details: {
        issues: [{ code: 'unless_cycle', params: { chain: 'Second → First → Second' } }],
      },
    },
  )
  const { rule } = await as('viewer').rule({ params: { id: first.id }, query })
  expect(rule).not.toHaveProperty('unless.rule', second.id)
  const { data } = await bring(unless('First', second.id), unless('Second'))
  expect(data).toMatchObject([{ outcome: 'changed' }, { outcome: 'same' }])
  for (const { id } of [second, first])
    await as('administrator').deleteRule({ params: { id }, query })
})

test('a device may have other limits, or be out of service with a reason', async () => {
  const id = await idOfFirst()
  const devices = server.as(people.administrator, mappingsContract)
  const made = await devices.createDevice({ query, body: { label: 'Oven 1' } })
  const params = { id, deviceId: made.id }
  const set = (body: object) => as('administrator').setOverride({ params, query, body })
  await set({ levels: [{ value: 240, clear: 235 }], onDelayMs: 1_000 })
  const asked = {
    params: { deviceId: made.id },
    query: { orgResourceId: organization, model: 'Oven:1' },
  }
  const { rules: found } = await server.asService(alarmsContract).rulesForDevice(asked)
  expect(found).toMatchObject([{ id, override: { onDelayMs: 1_000, levels: [{ value: 240 }] } }])
  await expect(set({ levels: [{ value: 240, clear: 250 }] })).rejects.toMatchObject({
    details: { issues: [{ place: 'levels.0.clear' }] },
  })
  await expect(set({ outOfServiceUntil: Date.now() })).rejects.toMatchObject({
    details: { issues: [{ place: 'reason' }] },
  })
  const foreign = as('administrator').setOverride({ params: { id, deviceId }, query, body: {} })
  await expect(foreign).rejects.toMatchObject({ status: 404 })
  await as('administrator').deleteOverride({ params, query })
  const twice = as('administrator').deleteOverride({ params, query })
  await expect(twice).rejects.toMatchObject({ status: 404 })
})

test('of 5,000 rules of an organization no more are made, and those of others do not count', async () => {
  const fill = (org: string, count: number) =>
    server.database.pool.query(
      `insert into alarms.rule (id, org, version, below, name, model, enabled, rule, created_at, updated_at, updated_by)
       select gen_random_uuid(), $1, 1, false, 'filled ' || n, 'Press:1', false, '{}', now(), now(), 'test'
       from generate_series(1, $2::int) n`,
      [org, count],
    )
  await fill('nordwerk.press', 5_000)
  const id = await create(hot({ name: 'the first' }))
  await fill(organization, 4_999)
  await expect(create(hot({ name: 'one more' }))).rejects.toMatchObject({
    status: 422,
    code: 'alarms.too_many_rules',
  })
  await server.database.pool.query(`delete from alarms.rule where name like 'filled %'`)
  await as('administrator').deleteRule({ params: { id: id.id }, query })
})
