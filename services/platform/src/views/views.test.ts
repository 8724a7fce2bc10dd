import { bitOf, everyAction } from '@longreach/authorization/capability'
import { person } from '@longreach/kit/testing'
import type { Kysely } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { platformContract } from '../contract.ts'
import { testPlatform, type TestPlatform } from '../platform-testing.ts'
import type { ViewDb } from './view-store.ts'
import { publishEarlierViews } from './view-uses.ts'

const org = 'exor'
const params = { org }
const query = { s: ['device/Oven:1/zone1/temperature;c0'], range: '24h' }
let platform: TestPlatform
let ann: ReturnType<TestPlatform['member']>
let ben: ReturnType<TestPlatform['member']>
let reader: ReturnType<TestPlatform['member']>
let stranger: ReturnType<TestPlatform['member']>
let nothing: ReturnType<TestPlatform['member']>

beforeAll(async () => {
  platform = await testPlatform()
  ann = platform.member('ann', org)
  ben = platform.member('ben', org)
  stranger = platform.member('eve', 'acme')
  const limited = (sub: string, grants: Record<string, number>) => {
    platform.rights[sub] = { [org]: { capability: { grants, deviceGroups: [] }, below: false } }
    return platform.as(person(sub, 'exor', org), platformContract)
  }
  reader = limited('rea', { devices: bitOf('read') })
  nothing = limited('nil', { models: everyAction })
})
afterAll(() => platform.close())

const made = (name: string, more: { shared?: boolean } = {}) =>
  ann.createView({ params, body: { name, query, ...more } })

test('a view is kept with the whole state of the explorer [R-16]', async () => {
  const view = await made('Kept')
  expect(view).toMatchObject({ name: 'Kept', query, mine: true, mayChange: true, version: 1 })
  const body = { name: 'Kept longer', description: 'Every Monday', version: 1 }
  const changed = await ann.updateView({ params: { ...params, view: view.id }, body })
  expect(changed).toMatchObject({ name: 'Kept longer', description: 'Every Monday', query })
  expect(await ann.view({ params: { ...params, view: view.id } })).toEqual(changed)
  await ann.deleteView({ params: { ...params, view: view.id } })
  await expect(ann.view({ params: { ...params, view: view.id } })).rejects.toMatchObject({
    status: 404,
  })
})

test('only a shared view is seen by others of the organization [R-16]', async () => {
  const own = await made('Own')
  const shared = await made('Shared', { shared: true })
  const names = (await ben.views({ params })).map(({ name }) => name)
  expect(names).toContain('Shared')
  expect(names).not.toContain('Own')
  const hidden = { params: { ...params, view: own.id } }
  await expect(ben.view(hidden)).rejects.toMatchObject({ status: 404 })
  await expect(ben.updateView({ ...hidden, body: { version: 1 } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(ben.deleteView(hidden)).rejects.toMatchObject({ status: 404 })
  const seen = await reader.view({ params: { ...params, view: shared.id } })
  expect(seen).toMatchObject({ author: 'ann@exor', mine: false, mayChange: false })
})

test('another organization sees no view, not even by its id [R-16]', async () => {
  const { id } = await made('Of exor', { shared: true })
  expect(await stranger.views({ params: { org: 'acme' } })).toEqual([])
  const there = { params: { org: 'acme', view: id } }
  await expect(stranger.view(there)).rejects.toMatchObject({ status: 404 })
  await expect(stranger.updateView({ ...there, body: { version: 1 } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(stranger.deleteView(there)).rejects.toMatchObject({ status: 404 })
  await expect(stranger.views({ params })).rejects.toMatchObject({
    code: 'auth.no_such_organization',
  })
})

test('who may not read devices has no views; who may not update them shares none [R-16]', async () => {
  const refused = { code: 'auth.missing_permission' }
  const { id } = await made('For all', { shared: true })
  const one = { params: { ...params, view: id } }
  await expect(nothing.views({ params })).rejects.toMatchObject(refused)
  await expect(nothing.view(one)).rejects.toMatchObject(refused)
  await expect(nothing.deleteView(one)).rejects.toMatchObject(refused)
  const notTheirs = { code: 'platform.view_not_yours' }
  const shared = { name: 'Mine for all', query, shared: true }
  await expect(reader.createView({ params, body: shared })).rejects.toMatchObject(notTheirs)
  await expect(reader.updateView({ ...one, body: { version: 1 } })).rejects.toMatchObject(notTheirs)
  await expect(reader.deleteView(one)).rejects.toMatchObject(notTheirs)
  const own = await reader.createView({ params, body: { name: 'Mine', query } })
  const sharing = reader.updateView({
    params: { ...params, view: own.id },
    body: { shared: true, version: 1 },
  })
  await expect(sharing).rejects.toMatchObject(notTheirs)
  const withdrawn = await ben.updateView({ ...one, body: { description: 'By Ben', version: 1 } })
  expect(withdrawn).toMatchObject({ description: 'By Ben', author: 'ann@exor', mine: false })
})

test('what is not a view is named', async () => {
  const wrong = async (body: object) =>
    ann.createView({ params, body: body as never }).catch((error: unknown) => error)
  expect(await wrong({ name: ' ', query })).toMatchObject({ status: 400 })
  expect(await wrong({ name: 'x', query: { s: [1] } })).toMatchObject({ status: 400 })
  expect(
    await wrong({ name: 'x', query: { s: Array.from({ length: 9 }, () => 'y'.repeat(3000)) } }),
  ).toMatchObject({ status: 400 })
  await expect(ann.view({ params: { ...params, view: 'no-id' } })).rejects.toMatchObject({
    status: 400,
  })
})

test('of two views of one name at once, one is made', async () => {
  const answers = await Promise.allSettled(
    Array.from({ length: 6 }, () => made('Twice', { shared: true })),
  )
  expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  for (const answer of answers)
    if (answer.status === 'rejected')
      expect(answer.reason).toMatchObject({ code: 'platform.view_name_taken' })
  await expect(
    ben.createView({ params, body: { name: 'TWICE', query, shared: true } }),
  ).rejects.toMatchObject({ code: 'platform.view_name_taken' })
  const own = await ben.createView({ params, body: { name: 'Twice', query } })
  const sharing = { params: { ...params, view: own.id }, body: { shared: true, version: 1 } }
  await expect(ben.updateView(sharing)).rejects.toMatchObject({
    code: 'platform.view_name_taken',
  })
})

test('of two changes at once, the second learns of the first', async () => {
  const { id } = await made('Contended', { shared: true })
  const one = { params: { ...params, view: id } }
  const answers = await Promise.allSettled([
    ann.updateView({ ...one, body: { description: 'by Ann', version: 1 } }),
    ben.updateView({ ...one, body: { description: 'by Ben', version: 1 } }),
  ])
  expect(answers.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
  const refused = answers.find(({ status }) => status === 'rejected')
  expect(refused).toMatchObject({ reason: { code: 'platform.view_changed' } })
  const deleted = await Promise.allSettled([ann.deleteView(one), ben.deleteView(one)])
  expect(deleted.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('a view that was saved before views were published is published once, at the next start', async () => {
  const { id } = await made('Saved long ago')
  const { db, pool } = platform.database
  await pool.query('insert into platform.explorer_view_unpublished values ($1)', [id])
  const published = async () => {
    const own = (db as Kysely<ViewDb>).withSchema('platform')
    await publishEarlierViews({ db: own })
    const { rows } = await pool.query<{ view: object }>(
      `select payload->'view' as view from bus.event
       where topic = 'platform.view_changed' and payload->>'id' = $1 order by id`,
      [id],
    )
    return rows.map(({ view }) => view)
  }
  const view = {
    name: 'Saved long ago',
    organization: org,
    author: 'ann',
    shared: false,
    shown: [{ model: 'Oven', path: 'zone1/temperature' }],
  }
  // Once when it was made, and once as one from before.
  expect(await published()).toMatchObject([view, view])
  expect(await published()).toHaveLength(2)
})
