import { organizationsContract, rightsTopics } from '@longreach/identity/organizations-contract'
import { expect, test } from 'vitest'
import { coreContract } from './contract.ts'

test('core answers each call that identity declares, as identity declares it', () => {
  for (const [name, endpoint] of Object.entries(organizationsContract.endpoints)) {
    expect(Object.entries(coreContract.endpoints)).toContainEqual([name, endpoint])
  }
  const { service, base } = coreContract
  expect(organizationsContract).toMatchObject({ service, base })
})

test('identity looks rights up again after every event of core', () => {
  const topics = Object.values(coreContract.events).map(({ topic }) => topic)
  expect(rightsTopics.toSorted()).toEqual(topics.toSorted())
})
