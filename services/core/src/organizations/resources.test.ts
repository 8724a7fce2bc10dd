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
})
afterAll(() => server.close())

const ask = (who: keyof Seeded['people'], org: string) =>
  server.as(seeded.people[who], coreContract).resources({ params: { org } })

test('what an organization uses, and what those below it do [R-15]', async () => {
  await server.as(seeded.people.owner, coreContract).createOrganization({
    params: { org: 'nordwerk.press' },
    query: {},
    body: { name: 'hall2' },
  })
  const { own, total, below } = await ask('owner', 'nordwerk')
  expect(own).toEqual({ people: 3, devices: 0, organizations: 0, keys: 0 })
  expect(total).toEqual({ people: 8, devices: 0, organizations: 3, keys: 0 })
  expect(below).toMatchObject([
    { resourceId: 'nordwerk.service', people: 4, organizations: 0 },
    { resourceId: 'nordwerk.press', people: 1, organizations: 1 },
  ])
})

test('only sums are told to those without rights below, and nothing to others [A-05]', async () => {
  expect(await ask('parentPlain', 'nordwerk')).toMatchObject({ total: { people: 8 }, below: [] })
  await expect(ask('foreigner', 'nordwerk')).rejects.toMatchObject({ status: 404 })
  await expect(ask('member', 'nordwerk.service')).rejects.toMatchObject({ status: 403 })
})
