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

/** Device in group 7 with an alarm of a rule on each of two paths. */
async function deviceWithTwo() {
  const deviceId = server.addDevice('exor', { groups: [7] })
  const words = { value: 2, limit: 1, values: {} }
  for (const path of ['Oven:1/temp', 'Oven:1/speed']) {
    await server.ruleChanged({
      deviceId,
      ruleId: await server.addRule('exor', { name: path, when: { path, op: '>', value: 1 } }),
      ruleVersion: 1,
      instance: '',
      changes: [{ kind: 'raise', t: now, level: 0, severity: 2, words }],
      heardAt: now,
    })
  }
  return deviceId
}

/** Person who may read one of the paths alone. */
const readerOfOnePath = () => {
  const mask = bitOf('read')
  const paths = [{ groups: [7], mask, read: ['Oven:1/temp'], history: [], write: [] }]
  return server.member('pia', 'exor', {
    capability: { grants: { alarms: mask }, deviceGroups: [], paths },
  })
}
const shelving = { reason: 'repair', until: now + 3_600_000 } as const

test('a shelf of one alarm is shown to whom the alarm is shown, and to nobody else', async () => {
  const ann = server.member('ann', 'exor')
  const deviceId = await deviceWithTwo()
  const { data } = await ann.listAlarms({ query, body: { kind: 'open', deviceId } })
  for (const { id } of data) {
    await ann.createShelf({ query, body: { target: { type: 'alarm', id }, ...shelving } })
  }
  const labelsFor = async (reader: typeof ann) =>
    (await reader.shelves({ query })).data.map(({ target }) => target.label).toSorted()
  expect(await labelsFor(ann)).toHaveLength(2)
  const [only, ...others] = await labelsFor(readerOfOnePath())
  expect(only).toContain('Oven:1/temp')
  expect(others).toEqual([])
})

test('a shelf tells how many alarms it holds of those that its reader may see', async () => {
  const ann = server.member('ann', 'exor')
  const target = { type: 'device', id: await deviceWithTwo() } as const
  const { id } = await ann.createShelf({ query, body: { target, ...shelving } })
  const heldFor = async (reader: typeof ann) =>
    (await reader.shelves({ query })).data.find((shelf) => shelf.id === id)?.held
  expect(await heldFor(ann)).toBe(2)
  expect(await heldFor(readerOfOnePath())).toBe(1)
})
