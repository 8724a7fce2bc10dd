import { core } from '@longreach/core'
import { coreContract } from '@longreach/core/contract'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { publish } from '@longreach/kit/events'
import { timelineRecorded } from '@longreach/mappings/time-line-contract'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { mappings } from '@longreach/mappings'
import { mappingsContract } from '@longreach/mappings/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import { platform } from '../service.ts'

let server: TestServer
let seeded: Seeded
let deviceId: string
let otherId: string
let clock = Date.parse('2026-01-05T12:00:00Z')
const org = 'nordwerk.service'

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings, platform], {
    admit: coreAuthorizer,
    now: () => new Date(clock),
  })
  seeded = await seed(server)
  deviceId = await create('Press 1')
  otherId = await create('Press 2')
})
afterAll(() => server.close())

type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], platformContract)
const mapped = (who: Who) => server.as(seeded.people[who], mappingsContract)
async function create(label: string) {
  const made = await mapped('owner').createDevice({ query: { organization: org }, body: { label } })
  await server.settle()
  return made.id
}
const on = (id: string, where = org) => ({ org: where, deviceId: id })
const say = (who: Who, text: string, more: object = {}, id = deviceId) =>
  as(who).addComment({ params: on(id), body: { text, ...more } })
const lineOf = async (who: Who, id: string, query: object = {}, where = org) =>
  (await as(who).timeline({ params: on(id, where), query })).data
const refusal = (status: number, code: string) => ({ status, code })

test('what a service tells of a device stands on its time-line, by an event alone [C-21]', async () => {
  const moment = { deviceId, orgResourceId: org, at: new Date(clock), kind: 'serviced' }
  await server.database.db
    .transaction()
    .execute((tx) =>
      publish(tx, timelineRecorded, { ...moment, data: { part: 'seal' }, by: 'ines' }),
    )
  await server.settle()
  expect(timelineRecorded.topic).toBe('timeline.recorded')
  expect(await lineOf('viewer', deviceId, { kind: 'serviced' })).toEqual([
    {
      id: expect.any(String),
      at: clock,
      until: null,
      kind: 'serviced',
      by: 'ines',
      own: false,
      modelPath: null,
      data: { part: 'seal' },
    },
  ])
  await expect(lineOf('foreigner', deviceId)).rejects.toMatchObject({ status: 404 })
})

test('a move by core is a moment of the device, told by nobody but core [E-06]', async () => {
  const moved = await create('Press 3')
  const cores = (who: Who) => server.as(seeded.people[who], coreContract)
  const press = 'nordwerk.press'
  const { token } = await cores('neighbour').createImportToken({ params: { org: press } })
  await say('operator', 'before the move', {}, moved)
  await mapped('owner').moveDevice({
    params: { org, device: moved },
    query: {},
    body: { organizationImportToken: token },
  })
  await server.settle()
  const line = await lineOf('neighbour', moved, {}, press)
  // What the people before wrote and did is not the new owner's to read.
  expect(line.map(({ kind, by, data }) => [kind, by, data])).toEqual([
    ['moved', 'owner', { from: org, to: press }],
  ])
  await expect(lineOf('operator', moved)).rejects.toMatchObject({ status: 404 })
})

test('comments and the time-line go along where that was chosen [E-06]', async () => {
  const moved = await create('Press 4')
  const cores = (who: Who) => server.as(seeded.people[who], coreContract)
  const press = 'nordwerk.press'
  const { token } = await cores('neighbour').createImportToken({ params: { org: press } })
  await say('operator', 'for the next owner', {}, moved)
  await mapped('owner').moveDevice({
    params: { org, device: moved },
    query: {},
    body: { organizationImportToken: token, notes: true },
  })
  await server.settle()
  const line = await lineOf('neighbour', moved, {}, press)
  expect(line.map(({ kind }) => kind)).toEqual(['moved', 'comment', 'created'])
})

test('a time-line is read newest first, page by page, by kind and range', async () => {
  const at = (minute: number) => clock - 3_600_000 + minute * 60_000
  for (const minute of [1, 2, 3, 4])
    await say('operator', `m${minute}`, { at: at(minute) }, otherId)
  const texts: unknown[] = []
  let before: string | undefined
  do {
    const query = { limit: 3, kind: 'comment', ...(before && { before }) }
    const page = await as('viewer').timeline({ params: on(otherId), query })
    texts.push(...page.data.map(({ data }) => data['text']))
    before = page.next ?? undefined
  } while (before)
  expect(texts).toEqual(['m4', 'm3', 'm2', 'm1'])
  const some = await lineOf('viewer', otherId, { since: at(2), to: at(4) })
  expect(some.map(({ at: time }) => time)).toEqual([at(3), at(2)])
  expect(await lineOf('viewer', otherId, { kind: ['write', 'preset'] })).toEqual([])
  for (const query of [{ since: 'soon' }, { before: 'x' }, { since: 5, to: 4 }]) {
    await expect(lineOf('viewer', otherId, query)).rejects.toMatchObject(
      refusal(400, 'platform.bad_query'),
    )
  }
})

test('a comment is changed by its author alone, and deleted by who may change the device', async () => {
  const made = await say('viewer', 'a noise', { at: clock - 60_000, until: clock })
  expect(made).toMatchObject({ text: 'a noise', by: 'vera', own: true, until: clock })
  const params = { ...on(deviceId), id: made.id }
  const another = refusal(403, 'platform.comment_of_another')
  const edit = (who: Who, body: { text: string; until?: null; modelPath?: string | null }) =>
    as(who).editComment({ params, body })
  await expect(edit('owner', { text: 'silence' })).rejects.toMatchObject(another)
  expect(await edit('viewer', { text: 'a whistle', until: null })).toMatchObject({
    text: 'a whistle',
    until: null,
    editedAt: clock,
  })
  const elsewhere = edit('viewer', { text: 'x', modelPath: 'Press:1/none' })
  await expect(elsewhere).rejects.toMatchObject(refusal(422, 'platform.no_such_path'))
  expect(await edit('viewer', { text: 'a whistle', modelPath: null })).toMatchObject({
    modelPath: null,
  })
  const [seen] = await as('owner').comments({
    params: on(deviceId),
    query: { since: clock - 60_000 },
  })
  expect(seen).toMatchObject({ text: 'a whistle', own: false })
  await expect(edit('foreigner', { text: 'x' })).rejects.toMatchObject({ status: 404 })
  await expect(as('member').comments({ params: on(deviceId), query: {} })).rejects.toMatchObject({
    status: 403,
  })
  const other = { ...on(otherId), id: made.id }
  await expect(as('viewer').deleteComment({ params: other })).rejects.toMatchObject({ status: 404 })
  const mine = await say('owner', 'mine')
  const ofOwner = { ...on(deviceId), id: mine.id }
  await expect(as('viewer').deleteComment({ params: ofOwner })).rejects.toMatchObject(another)
  const twice = [0, 1].map(() => as('owner').deleteComment({ params }))
  const states = (await Promise.allSettled(twice)).map(({ status }) => status)
  expect(states.toSorted()).toEqual(['fulfilled', 'rejected'])
})

test.each([
  [{ text: '  ' }, 400, 'text'],
  [{ text: 'x', until: 5, at: 6 }, 400, 'until'],
  [{ text: 'x', at: 'soon' }, 400, 'at'],
  [{ text: 'x', modelPath: 'Press:1/none' }, 422, 'modelPath'],
])('a comment that cannot be is refused: %j', async (body, status, field) => {
  const refused = as('viewer').addComment({ params: on(deviceId), body })
  await expect(refused).rejects.toMatchObject({ status })
  const reason = await refused.catch((error: unknown) => error)
  expect(JSON.stringify((reason as { details: unknown }).details)).toContain(field)
})

test('comments of several devices are found together, none of another organization', async () => {
  clock += 60_000
  await say('viewer', 'one')
  await say('viewer', 'two', {}, otherId)
  await say('viewer', 'long ago', { at: clock - 900_000, until: clock }, otherId)
  const search = (who: Who, ...deviceIds: string[]) =>
    as(who).searchComments({ params: { org }, body: { deviceIds, since: clock } })
  const found = await search('viewer', deviceId, otherId)
  expect(found.map(({ text }) => text).toSorted()).toEqual(['long ago', 'one', 'two'])
  await expect(search('viewer', deviceId, 'AAAAAAAAAAAAAAAAAAAAAA')).rejects.toMatchObject(
    refusal(404, 'platform.not_found'),
  )
  await expect(search('foreigner', deviceId)).rejects.toMatchObject({ status: 404 })
})

test('a preset given to a device is a moment with who did it [C-26]', async () => {
  const mapped = server.as(seeded.people.owner, mappingsContract)
  const query = { organization: org }
  const t = {
    type: 'double',
    mode: 'R',
    version: '1.0.0',
    historyPolicy: { enabled: true },
    sendPolicy: { triggers: [{ type: 'timer', intervalMs: 1000 }] },
    datalink: { source: 't' },
  }
  const tree = { type: 'object', properties: { t: { type: 'double' } } }
  await mapped.createModel({ query, body: { name: 'Oven', data: tree } })
  const data = { type: 'object', instanceOf: 'Oven:1.0.0', properties: { t } }
  const preset = await mapped.createPreset({ query, body: { name: 'Ovens', data } })
  await mapped.assignPreset({ params: { id: otherId }, query, body: { presetId: preset.id } })
  await server.settle()
  const [moment] = await lineOf('viewer', otherId, { kind: 'preset' })
  expect(moment).toMatchObject({ by: 'owner', data: { from: null, to: 'Ovens' } })
})

test('what happened to a device that is gone for good is gone', async () => {
  const gone = await create('Press 4')
  await say('viewer', 'farewell', {}, gone)
  const { db } = server.database
  await db.transaction().execute((tx) =>
    publish(tx, timelineRecorded, {
      deviceId: 'AAAAAAAAAAAAAAAAAAAAAA',
      orgResourceId: org,
      at: new Date(),
      kind: 'late',
      data: {},
    }),
  )
  await server.settle()
  const rows = await server.database.pool.query(
    `select count(*) from platform.moment where kind = 'late'`,
  )
  expect(rows.rows[0]).toEqual({ count: 0 })
})

test('a device that comes back from the trash tells that it was there [E-06]', async () => {
  const back = await create('Press 5')
  await say('viewer', 'before', {}, back)
  const mapped = server.as(seeded.people.owner, mappingsContract)
  const query = { organization: org }
  await mapped.deleteDevice({ params: { id: back }, query })
  await server.settle()
  await expect(lineOf('viewer', back)).rejects.toMatchObject({ status: 404 })
  await mapped.restoreDevice({ params: { id: back }, query, body: {} })
  await server.settle()
  const kinds = (await lineOf('viewer', back)).map(({ kind, by }) => [kind, by])
  expect(kinds.toSorted()).toEqual([
    ['comment', 'vera'],
    ['created', 'owner'],
    ['deleted', 'owner'],
    ['restored', 'owner'],
  ])
})

test('the log of all devices has the entries of each by time, page by page [R-20 in part]', async () => {
  const params = { org }
  await say('owner', 'seal is new', { at: clock + 1_000 })
  await say('owner', 'belt is new', { at: clock + 2_000 }, otherId)
  const query = { limit: 2, person: '' }
  const first = await as('viewer').timelineOfDevices({ params, query })
  expect(first.data.map(({ device, at }) => [device, at])).toEqual([
    ['Press 2', clock + 2_000],
    ['Press 1', clock + 1_000],
  ])
  const before = first.next ?? ''
  const second = await as('viewer').timelineOfDevices({ params, query: { ...query, before } })
  expect(second.data.every(({ at }) => at <= clock + 1_000)).toBe(true)
  const found = async (more: object) =>
    (await as('viewer').timelineOfDevices({ params, query: more })).data
  expect((await found({ text: 'BELT is' })).map(({ deviceId: id }) => id)).toEqual([otherId])
  expect((await found({ device: 'press 2' })).every(({ device }) => device === 'Press 2')).toBe(
    true,
  )
  expect((await found({ without: ['comment'] })).some(({ kind }) => kind === 'comment')).toBe(false)
  expect(await found({ person: 'nobody of this name' })).toEqual([])
  await expect(found({ before: 'x' })).rejects.toMatchObject({ status: 400 })
  await expect(as('foreigner').timelineOfDevices({ params, query: {} })).rejects.toMatchObject({
    status: 404,
  })
})
