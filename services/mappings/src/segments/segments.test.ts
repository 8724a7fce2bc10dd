import { core } from '@longreach/core'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '@longreach/core/testing'
import { testServer, type TestServer } from '@longreach/kit/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { mappingsContract } from '../contract.ts'
import { mappings } from '../service.ts'

let server: TestServer
let seeded: Seeded
const organization = 'nordwerk.service'
const query = { organization }
type Who = keyof Seeded['people']
const as = (who: Who) => server.as(seeded.people[who], mappingsContract)
const ids: string[] = []

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
  for (const [label, tag] of [
    ['Oven 1', 'line 1'],
    ['Oven 2', 'line 2'],
    ['Press', 'line 1'],
  ] as const) {
    const body = { label, tags: [tag] }
    ids.push((await as('administrator').createDevice({ query, body })).id)
  }
})
afterAll(() => server.close())

const make = (who: Who, name: string, more: object = {}) =>
  as(who).createSegment({
    query,
    body: { name, content: { question: { data: 'tags in ("line 1")' } }, ...more },
  })
const namesFor = async (who: Who) =>
  (await as(who).segments({ query })).data.map(({ name }) => name)
const listed = async (segment: string) =>
  (await as('viewer').devices({ query: { organization, segment, page: 0 } })).data.map(
    ({ label }) => label,
  )

test('a dynamic segment follows its question, with its count [R-10] [C-26]', async () => {
  const { id } = await make('viewer', 'Line 1')
  expect(await listed(id)).toEqual(['Oven 1', 'Press'])
  const { data } = await as('viewer').segments({ query: { ...query, counts: 'true' } })
  expect(data).toMatchObject([{ id, name: 'Line 1', count: 2, own: true, mayChange: true }])
  const found = await as('viewer').searchDevices({
    query,
    body: { segment: id, search: 'oven', page: 0 },
  })
  expect(found.data.map(({ label }) => label)).toEqual(['Oven 1'])
})

test('a picked segment holds devices one by one', async () => {
  const content = { deviceIds: [ids[2] ?? '', 'no such device'] }
  const { id, kind } = await make('viewer', 'Picked', { content })
  expect(kind).toBe('picked')
  expect(await listed(id)).toEqual(['Press'])
  const body = { add: [ids[0] ?? ''], remove: [ids[2] ?? ''] }
  await as('viewer').changeSegmentDevices({ params: { id }, query, body })
  expect(await listed(id)).toEqual(['Oven 1'])
})

test('each segment has its own count, also where two ask the same and two hold picked devices [R-10]', async () => {
  const content = (data: string) => ({ content: { question: { data } } })
  const picked = (...places: number[]) => ({
    content: { deviceIds: places.map((place) => ids[place] ?? '') },
  })
  await make('parentInherit', 'A', content('tags in ("line 2")'))
  await make('parentInherit', 'B', picked(0, 2))
  await make('parentInherit', 'C', content('label ~= "o"'))
  await make('parentInherit', 'D', content('tags in ("line 2")'))
  await make('parentInherit', 'E', picked(1))
  await make('parentInherit', 'F', content('label == "none"'))
  const { data } = await as('parentInherit').segments({ query: { ...query, counts: 'true' } })
  const counts = Object.fromEntries(data.map(({ name, count }) => [name, count]))
  expect(counts).toEqual({ A: 1, B: 2, C: 2, D: 1, E: 1, F: 0 })
})

test('own segments are seen by nobody else, shared ones by all who see devices here', async () => {
  await make('operator', 'Mine')
  await make('administrator', 'Ours', { shared: true })
  expect(await namesFor('operator')).toEqual(['Mine', 'Ours'])
  expect(await namesFor('viewer')).not.toContain('Mine')
  expect(await namesFor('viewer')).toContain('Ours')
  await expect(namesFor('member')).rejects.toMatchObject({ status: 403 })
  await expect(namesFor('foreigner')).rejects.toMatchObject({ status: 404 })
})

test('what everybody sees needs the right to change devices', async () => {
  await expect(make('viewer', 'Not mine', { shared: true })).rejects.toMatchObject({ status: 403 })
  const ours = (await as('viewer').segments({ query })).data.find(({ name }) => name === 'Ours')
  expect(ours).toMatchObject({ mayChange: false, own: false })
  const params = { id: ours?.id ?? '' }
  await expect(as('viewer').deleteSegment({ params, query })).rejects.toMatchObject({ status: 403 })
  await expect(
    as('neighbour').deleteSegment({ params, query: { organization: 'nordwerk.press' } }),
  ).rejects.toMatchObject({ status: 404 })
  await as('administrator').updateSegment({ params, query, body: { name: 'Everybody’s' } })
  await as('administrator').deleteSegment({ params, query })
  await expect(as('administrator').deleteSegment({ params, query })).rejects.toMatchObject({
    status: 404,
  })
})

test('a segment that gets a name while another is created with it: one of the two is refused', async () => {
  for (let round = 0; round < 8; round++) {
    const { id } = await make('viewer', `Renamed ${round}`)
    const name = `Wanted ${round}`
    const renamed = as('viewer').updateSegment({ params: { id }, query, body: { name } })
    const [one, other] = await Promise.allSettled([renamed, make('viewer', name)])
    const refused = [one, other].flatMap((done) =>
      done.status === 'rejected' ? [done.reason] : [],
    )
    expect(refused).toEqual([expect.objectContaining({ code: 'mappings.segment_exists' })])
  }
})

test('names are given once, and a question that is none is refused at its place', async () => {
  const twice = await Promise.allSettled([make('viewer', 'Once'), make('viewer', 'ONCE')])
  expect(twice.find(({ status }) => status === 'rejected')).toMatchObject({
    reason: { status: 409, code: 'mappings.segment_exists', details: { field: 'name' } },
  })
  await expect(
    make('viewer', 'Bad', { content: { question: { data: 'tags in (' } } }),
  ).rejects.toMatchObject({ status: 400, code: 'mappings.bad_expression' })
  await expect(listed('nothing')).rejects.toMatchObject({ status: 404 })
})
