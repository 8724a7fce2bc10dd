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
const create = async (label: string) =>
  (
    await server
      .as(seeded.people.administrator, mappingsContract)
      .createDevice({ query, body: { label } })
  ).id
const ask = (who: Who, more: { question?: object; except?: string[] } = {}) =>
  server.asService(mappingsContract).devicesChosen({
    body: { caller: seeded.people[who], organization, subtree: false, question: {}, ...more },
  })

beforeAll(async () => {
  server = await testServer([identityForTests, core, mappings], { admit: coreAuthorizer })
  seeded = await seed(server)
})
afterAll(() => server.close())

test('a service is told what a person finds, by name and but for what is left out', async () => {
  const [two, one, left] = [
    await create('Mixer 2'),
    await create('Mixer 1'),
    await create('Mixer 3'),
  ]
  await create('Press')
  const chosen = await ask('administrator', { question: { search: 'mixer' }, except: [left] })
  expect(chosen.ids).toEqual([one, two])
})

test('people of another organization find nothing, and people may not ask themselves', async () => {
  await create('Mixer 4')
  expect((await ask('foreigner')).ids).toEqual([])
  const body = { caller: seeded.people.administrator, organization, subtree: false, question: {} }
  const administrator = server.as(seeded.people.administrator, mappingsContract)
  await expect(administrator.devicesChosen({ body })).rejects.toMatchObject({ status: 403 })
})
