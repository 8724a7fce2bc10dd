import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAlarms, type TestAlarms } from '../alarms-testing.ts'
import { cleanupClosedAlarms } from './retention.ts'

const day = 86_400_000
const now = new Date('2026-01-05T12:00:00Z')
let server: TestAlarms
let ann: ReturnType<TestAlarms['member']>
const query = {}

beforeAll(async () => {
  server = await testAlarms(() => now)
  ann = server.member('ann', 'exor', {
    below: true,
    capability: {
      grants: { alarms: 0xff, devices: 0xff, organizations: 0xff },
      deviceGroups: [],
    },
  })
})
afterAll(() => server.close())

const log = { info: () => undefined } as never // only counts are logged
const cleanup = (size?: number) =>
  cleanupClosedAlarms({ db: server.tables, now: () => now, log }, size)

async function closedFor(deviceId: string, days: number, state = 1) {
  const at = now.getTime() - days * day
  const facts = { severity: 3, description: '', tag: '', certificate: '', value: null }
  const report = { deviceId, name: `A${days}`, startedAt: at, ...facts }
  await server.report({ ...report, state: 11, changedAt: at, heardAt: at })
  if (state !== 11) await server.report({ ...report, state, changedAt: at + 1, heardAt: at + 1 })
}
const left = async (org: string) => {
  const rows = await server.tables
    .selectFrom('occurrence')
    .select('name')
    .where('org', '=', org)
    .execute()
  return rows.map(({ name }) => name).toSorted()
}

test('closed alarms go after three years, or as an organization says; open ones stay [R-22 in part]', async () => {
  const top = server.addDevice('exor')
  const hall = server.addDevice('exor.hall')
  for (const device of [top, hall]) {
    for (const days of [20, 40, 400, 1_100]) await closedFor(device, days)
    await closedFor(device, 2_000, 11)
  }
  expect(await cleanup()).toBe(2)
  expect(await left('exor')).toEqual(['A20', 'A2000', 'A40', 'A400'])
  const save = (organization: string, keepDays: number | null) =>
    ann.saveAlarmSettings({ query: { organization }, body: { keepDays, noteClasses: null } })
  server.member('ann', 'exor.hall', {
    capability: { grants: { alarms: 0xff, organizations: 0xff, devices: 0xff }, deviceGroups: [] },
  })
  expect((await save('exor', 365)).effective).toMatchObject({ keepDays: 365, keepDaysFrom: 'exor' })
  expect((await save('exor.hall', 30)).effective).toMatchObject({ keepDays: 30 })
  // One at a time, as a run that ends in the middle goes on in the next one.
  expect(await cleanup(1)).toBe(3)
  expect(await cleanup(1)).toBe(0)
  expect(await left('exor')).toEqual(['A20', 'A2000', 'A40'])
  expect(await left('exor.hall')).toEqual(['A20', 'A2000'])
  expect((await save('exor.hall', null)).effective).toMatchObject({
    keepDays: 365,
    keepDaysFrom: 'exor',
  })
  const changes = await server.tables.selectFrom('change').select('occurrence').execute()
  const kept = await server.tables.selectFrom('occurrence').select('id').execute()
  const ids = new Set(kept.map(({ id }) => id))
  expect(changes.every(({ occurrence }) => ids.has(occurrence))).toBe(true)
})

test.each([29, 3_661, 0, 45.5])('%s days to keep are refused with the field', async (keepDays) => {
  await expect(
    ann.saveAlarmSettings({ query, body: { keepDays, noteClasses: null } }),
  ).rejects.toMatchObject({ status: 400, details: { fields: [{ field: 'keepDays' }] } })
})

test('a class can ask for a note of who shelves it [R-22 in part]', async () => {
  await ann.saveAlarmSettings({ query, body: { keepDays: null, noteClasses: ['Safety'] } })
  const ruleId = await server.addRule('exor', { class: 'Safety' })
  const body = { reason: 'maintenance', until: now.getTime() + 3_600_000 } as const
  const refused = { status: 422, code: 'alarms.note_required', details: { field: 'note' } }
  for (const target of [
    { type: 'rule', id: ruleId } as const,
    { type: 'class', id: 'Safety' } as const,
  ]) {
    await expect(ann.createShelf({ query, body: { target, ...body } })).rejects.toMatchObject(
      refused,
    )
    const shelf = await ann.createShelf({ query, body: { target, ...body, note: 'Agreed' } })
    expect(shelf.note).toBe('Agreed')
  }
})
