import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
beforeAll(async () => {
  server = await testAlarms()
})
afterAll(() => server.close())

test('a rule tells of its open alarms on devices alone that its reader may see', async () => {
  const ruleId = await server.addRule('exor', { name: 'Counted' })
  const t = Date.UTC(2026, 0, 5)
  const words = { value: 231, limit: 230, values: {} }
  for (const group of [7, 8]) {
    await server.ruleChanged({
      deviceId: server.addDevice('exor', { groups: [group] }),
      ruleId,
      ruleVersion: 1,
      instance: '',
      changes: [{ kind: 'raise', t, level: 0, severity: 2, words }],
      heardAt: t,
    })
  }
  const query = {}
  const openFor = async (reader: ReturnType<TestAlarms['member']>) => {
    const { data } = await reader.rules({ query: { search: 'Counted' } })
    return [...data, await reader.rule({ params: { id: ruleId }, query })].map(({ open }) => open)
  }
  const mask = bitOf('read')
  const limited = { grants: { alarms: mask }, deviceGroups: [{ groups: [7], mask }] }
  expect(await openFor(server.member('ann', 'exor'))).toEqual([2, 2])
  expect(await openFor(server.member('lea', 'exor', { capability: limited }))).toEqual([1, 1])
})
