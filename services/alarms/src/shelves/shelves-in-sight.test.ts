import { bitOf } from '@longreach/authorization/capability'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'

let server: TestAlarms
beforeAll(async () => {
  server = await testAlarms(() => new Date(now))
})
afterAll(() => server.close())

const query = {}
const now = Date.UTC(2026, 0, 5)

test('a shelf of one alarm is shown to whom the alarm is shown, and to nobody else', async () => {
  const ann = server.member('ann', 'exor')
  const deviceId = server.addDevice('exor', { groups: [7] })
  for (const path of ['Oven:1/temp', 'Oven:1/speed']) {
    await server.ruleChanged({
      deviceId,
      ruleId: await server.addRule('exor', { name: path, when: { path, op: '>', value: 1 } }),
      ruleVersion: 1,
      instance: '',
      changes: [
        {
          kind: 'raise',
          t: now,
          level: 0,
          severity: 2,
          words: { value: 2, limit: 1, values: {} },
        },
      ],
      heardAt: now,
    })
  }
  const { data } = await ann.listAlarms({ query, body: { kind: 'open' } })
  for (const { id } of data) {
    const target = { type: 'alarm', id } as const
    await ann.createShelf({ query, body: { target, reason: 'repair', until: now + 3_600_000 } })
  }
  const mask = bitOf('read')
  const paths = [{ groups: [7], mask, read: ['Oven:1/temp'], history: [], write: [] }]
  const capability = { grants: { alarms: mask }, deviceGroups: [], paths }
  const pia = server.member('pia', 'exor', { capability })
  const labelsFor = async (reader: typeof ann) =>
    (await reader.shelves({ query })).data.map(({ target }) => target.label).toSorted()
  expect(await labelsFor(ann)).toHaveLength(2)
  const [only, ...others] = await labelsFor(pia)
  expect(only).toContain('Oven:1/temp')
  expect(others).toEqual([])
})
