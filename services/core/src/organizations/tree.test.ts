import { afterAll, beforeAll, expect, test } from 'vitest'
import { type TestServer, testServer } from '@longreach/kit/testing'
import { coreContract } from '../contract.ts'
import { core } from '../service.ts'
import { coreAuthorizer, identityForTests, seed, type Seeded } from '../testing.ts'

let server: TestServer
let seeded: Seeded
beforeAll(async () => {
  server = await testServer([identityForTests, core], { admit: coreAuthorizer })
  seeded = await seed(server)
  await make('nordwerk.press', 'hall2', 'Hall Two')
  await make('nordwerk.press.hall2', 'line1', 'Line One')
})
afterAll(() => server.close())

const as = (who: keyof Seeded['people']) => server.as(seeded.people[who], coreContract)
const make = (org: string, name: string, label: string) =>
  as('owner').createOrganization({ params: { org }, query: {}, body: { name, label } })
const tree = (query: object, who: keyof Seeded['people'] = 'owner', org = 'nordwerk') =>
  as(who).tree({ params: { org }, query })

test('the tree is read level by level, with the count of what is below [P-02] [R-15]', async () => {
  const top = await tree({})
  expect(top.content.map(({ resourceId, children }) => `${resourceId} ${children}`)).toEqual([
    'nordwerk.press 1',
    'nordwerk.service 0',
  ])
  const press = await tree({ at: 'nordwerk.press' })
  expect(press.content).toMatchObject([
    { resourceId: 'nordwerk.press.hall2', children: 1, path: ['press', 'Hall Two'] },
  ])
  const second = await tree({ page: 1, pageSize: 1 })
  expect(second).toMatchObject({ totalElements: 2, content: [{ name: 'service' }] })
})

test('a search finds anywhere below and tells the path to it [R-15]', async () => {
  const { content } = await tree({ search: 'LINE o' })
  expect(content).toMatchObject([
    { resourceId: 'nordwerk.press.hall2.line1', path: ['press', 'Hall Two', 'Line One'] },
  ])
  expect((await tree({ search: '100%_nothing' })).content).toEqual([])
})

test('a deleted organization is not in the tree', async () => {
  const params = { org: 'nordwerk.press.hall2.line1' }
  await as('owner').deleteOrganization({ params, query: {} })
  expect((await tree({ at: 'nordwerk.press' })).content).toMatchObject([{ children: 0 }])
  expect((await tree({ search: 'line' })).content).toEqual([])
})

test('only what one may enter is shown, and nothing outside [A-05]', async () => {
  expect((await tree({}, 'parentPlain')).content).toEqual([])
  await expect(tree({}, 'foreigner')).rejects.toMatchObject({ status: 404 })
  for (const at of ['acqua', 'acqua.pumps', 'nordwerk.nothing']) {
    await expect(tree({ at })).rejects.toMatchObject({ status: 404, details: { field: 'at' } })
  }
  await expect(tree({ at: 'nordwerk.press' }, 'viewer', 'nordwerk.service')).rejects.toMatchObject({
    status: 404,
  })
})
