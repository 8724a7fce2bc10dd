import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from './alarms-testing.ts'

let server: TestAlarms
beforeAll(async () => {
  server = await testAlarms()
})
afterAll(() => server.close())

const words = { value: 231, limit: 230, values: {} }

test('a rule raises an alarm, a person acknowledges it, and its return ends it [E-15] [T-07 in part]', async () => {
  const ann = server.member('ann', 'exor')
  const deviceId = server.addDevice('exor')
  const ruleId = await server.addRule('exor', { texts: { en: '{device} has {value|1}' } })
  const event = { deviceId, ruleId, ruleVersion: 1, instance: '', heardAt: 1_700_000_001_000 }
  const raise = { kind: 'raise', t: 1_700_000_000_000, level: 0, severity: 3, words } as const
  await server.ruleChanged({ ...event, changes: [raise] })
  const body = { data: 'status ~= ".*"', orderBy: 'updatedAt', orderDir: 'desc' }
  const found = await ann.searchAlarms({ query: {}, body })
  expect(found).toMatchObject({ totalElements: 1, totalPages: 1, number: 0, size: 10, last: true })
  expect(found.data[0]).toMatchObject({
    name: 'Oven too hot',
    description: 'Oven 7 has 231.0',
    deviceLabel: 'Oven 7',
    status: 'ACTIVE',
    ack: 'REQUIRED',
    reset: 'NOT_REQUIRED',
    value_double: 231,
  })
  const id = found.data[0]?.id ?? ''
  expect(await ann.severityCount({ query: {} })).toEqual([{ severity: 3, count: 1 }])
  expect(await ann.acknowledge({ query: {}, body: { id } })).toEqual({ done: [id], skipped: [] })
  await server.ruleChanged({ ...event, changes: [{ kind: 'return', t: 1_700_000_060_000 }] })
  const listed = await ann.listAlarms({ query: {}, body: {} })
  expect(listed.data).toEqual([])
  const { alarm, history } = await ann.alarmDetail({ params: { id }, query: {} })
  expect(alarm).toMatchObject({ status: 'NOT_ACTIVE', ack: 'NOT_REQUIRED', action: 'ACK' })
  expect(history.map(({ longreach }) => longreach.kind)).toEqual([
    'raised',
    'closed',
    'acknowledged',
  ])
  expect(await ann.severityCount({ query: {} })).toEqual([])
})
