import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { alarmsContract } from '../contract.ts'
import { alarms } from '../service.ts'

let server: TestServer
let people: Seeded['people']
/** Ids of the models called Oven: of the organization above, which shares it, and of the one below. */
let [ofAbove, ofBelow] = ['', '']
/** Devices of the organization below, with the one model and the other. */
let [withAbove, withBelow] = ['', '']
const above = { organization: 'nordwerk' }
const below = { organization: 'nordwerk.service' }
const owner = () => server.as(people.owner, alarmsContract)

const tree = (properties: object) => ({ type: 'object', properties })
const double = { type: 'double' }
const ofPreset = {
  type: 'double',
  mode: 'R',
  historyPolicy: { enabled: true },
  sendPolicy: { triggers: [{ type: 'onchange' }] },
  datalink: { source: 'A' },
}

/** Device of the organization below with a preset of the model that the name means there at that time. */
async function deviceOf(name: string) {
  const devices = server.as(people.owner, mappingsContract)
  const data = {
    type: 'object',
    instanceOf: 'Oven:1.0.0',
    properties: { temperature: ofPreset },
  }
  const { id: presetId } = await devices.createPreset({ query: below, body: { name, data } })
  const { id } = await devices.createDevice({ query: below, body: { label: name } })
  await devices.assignPreset({ params: { id }, query: below, body: { presetId } })
  return id
}

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings, alarms], { admit: coreAuthorizer })
  ;({ people } = await seed(server))
  const models = server.as(people.owner, mappingsContract)
  const oven = { name: 'Oven', data: tree({ temperature: double }) }
  ofAbove = (await models.createModel({ query: above, body: oven })).id
  await models.shareModel({ params: { id: ofAbove }, query: above, body: { data: true } })
  withAbove = await deviceOf('of the model above')
  const own = { name: 'Oven', data: tree({ temperature: double, door: { type: 'boolean' } }) }
  ofBelow = (await models.createModel({ query: below, body: own })).id
  withBelow = await deviceOf('of the own model')
})
afterAll(() => server.close())

const hot = (scope: object, more: object = {}) => ({
  name: 'Too hot',
  kind: 'condition',
  scope,
  when: { path: 'Oven:1/temperature', op: '>' },
  levels: [{ severity: 5, value: 230 }],
  ...more,
})
const create = (query: { organization: string }, rule: unknown, reachesDown = false) =>
  owner().createRule({ query, body: { rule, below: reachesDown } })
const byId = (modelId: string) => ({ model: 'Oven:1', modelId })

/** Names of the rules that judge a device, as platform asks for them. */
async function judging(deviceId: string) {
  const params = { deviceId }
  const device = await server.asService(mappingsContract).deviceForPlatform({ params })
  const { orgResourceId, model } = device
  const query = { orgResourceId, model: model?.name, modelOrganization: model?.organization }
  const { rules } = await server.asService(alarmsContract).rulesForDevice({ params, query })
  return rules.map(({ rule }) => rule['name']).toSorted()
}
const remove = async (query: { organization: string }) => {
  const { data } = await owner().rules({ query })
  const own = data.filter(({ orgResourceId }) => orgResourceId === query.organization)
  for (const { id } of own) await owner().deleteRule({ params: { id }, query })
}

test('a name that two models have is refused with the models to choose from', async () => {
  const choices = [
    { modelId: ofBelow, organization: 'nordwerk.service' },
    { modelId: ofAbove, organization: 'nordwerk' },
  ]
  await expect(create(below, hot({ model: 'Oven:1' }))).rejects.toMatchObject({
    status: 422,
    code: 'alarms.rule_invalid',
    message: expect.stringContaining(`name one in scope.modelId: nordwerk.service (${ofBelow})`),
    details: { issues: [{ place: 'scope.model', code: 'ambiguous_model', choices }] },
  })
  await expect(create(below, hot(byId('no-such-model')))).rejects.toMatchObject({
    details: { issues: [{ place: 'scope.modelId', code: 'unknown_model', choices }] },
  })
  // Above there is one model of the name; that of the organization below is none of its own.
  await expect(create(above, hot(byId(ofBelow)))).rejects.toMatchObject({
    details: { issues: [{ place: 'scope.modelId', code: 'unknown_model' }] },
  })
  expect(await judging(withAbove)).toEqual([])
})

test('a rule holds for devices of its model and for none of another model of the name', async () => {
  const { rule } = await create(above, hot({ model: 'Oven:1' }, { name: 'Above' }), true)
  expect(rule['scope']).toEqual(byId(ofAbove))
  await create(below, hot(byId(ofAbove), { name: 'Of above' }))
  await create(below, hot(byId(ofBelow), { name: 'Of below' }))
  expect(await judging(withAbove)).toEqual(['Above', 'Of above'])
  expect(await judging(withBelow)).toEqual(['Of below'])
  const listed = async (modelOrganization?: string) => {
    const query = { ...below, model: 'Oven:1', ...(modelOrganization && { modelOrganization }) }
    return (await owner().rules({ query })).data.map((one) => one.rule['name'])
  }
  expect(await listed()).toEqual(['Above', 'Of above', 'Of below'])
  expect(await listed('nordwerk')).toEqual(['Above', 'Of above'])
  expect(await listed('nordwerk.service')).toEqual(['Of below'])
  expect(await listed('acqua')).toEqual([])
  // A path that only the other model has is not there.
  const door = { when: { path: 'Oven:1/door', op: '==' }, levels: [{ severity: 1, value: true }] }
  const wrong = create(below, hot(byId(ofAbove), { ...door, name: 'Door' }))
  await expect(wrong).rejects.toMatchObject({ details: { issues: [{ place: 'when.path' }] } })
})

test('a changed rule stays with its model, also when a client sends the name alone', async () => {
  const { data } = await owner().rules({ query: { ...below, search: 'Of above' } })
  const id = data[0]?.id ?? ''
  const params = { id }
  const name = { model: 'Oven:1' }
  const changed = await owner().replaceRule({
    params,
    query: below,
    body: { rule: hot(name, { name: 'Of above', onDelayMs: 1_000 }) },
  })
  expect(changed).toMatchObject({ version: 2, rule: { scope: byId(ofAbove), onDelayMs: 1_000 } })
  const other = { rule: hot(byId(ofBelow), { name: 'Of above' }) }
  await owner().replaceRule({ params, query: below, body: other })
  expect(await judging(withAbove)).toEqual(['Above'])
  expect(await judging(withBelow)).toEqual(['Of above', 'Of below'])
  await owner().restoreRule({ params, query: below, body: { version: 1 } })
  expect(await judging(withAbove)).toEqual(['Above', 'Of above'])
})

test('an import finds the model by its name, and asks where there are two', async () => {
  const exported = await owner().exportRules({ query: above })
  expect(exported.rules).toMatchObject([{ rule: { scope: byId(ofAbove) } }])
  // In a file of another organization the id means nothing here.
  const foreign = { below: false, rule: hot(byId('elsewhere'), { name: 'Taken' }) }
  const tried = await owner().importRules({ query: below, body: { rules: [foreign] } })
  expect(tried.data).toMatchObject([
    { outcome: 'invalid', issues: [{ code: 'ambiguous_model', choices: [{}, {}] }] },
  ])
  const chosen = { below: false, rule: hot(byId(ofBelow), { name: 'Taken' }) }
  const query = { ...below, dryRun: 'false' as const }
  await owner().importRules({ query, body: { rules: [chosen] } })
  expect(await judging(withBelow)).toEqual(['Of below', 'Taken'])
  const upwards = { ...above, dryRun: 'false' as const }
  await owner().importRules({ query: upwards, body: { rules: [foreign] } })
  const { data } = await owner().rules({ query: above })
  expect(data.map(({ rule }) => [rule['name'], rule['scope']])).toEqual([
    ['Above', byId(ofAbove)],
    ['Taken', byId(ofAbove)],
  ])
  const again = await owner().importRules({ query: above, body: { rules: [foreign] } })
  expect(again.data).toMatchObject([{ outcome: 'same' }])
})

test('rules of before, which have a name alone, hold for the model that the name meant', async () => {
  await remove(above)
  await remove(below)
  await create(above, hot({ model: 'Oven:1' }, { name: 'Old above' }), true)
  await create(below, hot(byId(ofBelow), { name: 'Old below' }))
  const { db } = server.database
  const forget = () =>
    sql`update alarms.rule set model_org = null, model_id = null, rule = rule #- '{scope,modelId}'`.execute(
      db,
    )
  await forget()
  expect(await judging(withAbove)).toEqual(['Old above'])
  expect(await judging(withBelow)).toEqual(['Old below'])
  const { data } = await owner().rules({ query: below })
  const scopes = data.map(({ rule, version }) => [rule['name'], rule['scope'], version])
  expect(scopes).toEqual([
    ['Old above', byId(ofAbove), 1],
    ['Old below', byId(ofBelow), 1],
  ])
})
