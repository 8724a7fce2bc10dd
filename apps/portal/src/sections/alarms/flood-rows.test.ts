import { expect, test } from 'vitest'
import { testAlarm, testId } from './alarm-testing.ts'
import { groupedRows, recentCount } from './flood-rows.ts'

const now = Date.now()
type Given = { device: string; severity: number; ago: number; firstOut?: string }
const alarm = (name: string, { device, severity, ago, firstOut }: Given) =>
  testAlarm(name, {
    name,
    deviceId: testId(device),
    severity,
    longreach: { since: now - ago, firstOut: firstOut ?? null },
  })

const rows = [
  alarm('gas', { device: 'oven', severity: 6, ago: 1_000, firstOut: 'fan' }),
  alarm('door', { device: 'press', severity: 5, ago: 500 }),
  alarm('hot', { device: 'oven', severity: 3, ago: 2_000, firstOut: 'fan' }),
  alarm('fan', { device: 'oven', severity: 1, ago: 2_000 }),
  alarm('old', { device: 'pump', severity: 1, ago: 900_000 }),
]

test('a flood counts what began in the last 10 minutes', () => {
  expect(recentCount(rows, now)).toBe(4)
})

test('alarms are grouped by device with the first one on top, and expanded one device at a time [R-22 in part]', () => {
  expect(groupedRows(rows, new Set()).map(({ name, group }) => [name, group?.others])).toEqual([
    ['fan', 2],
    ['door', undefined],
    ['old', undefined],
  ])
  const open = groupedRows(rows, new Set([testId('oven')]))
  expect(open.map(({ name, group }) => [name, group?.isFirst])).toEqual([
    ['fan', true],
    ['hot', false],
    ['gas', false],
    ['door', undefined],
    ['old', undefined],
  ])
})
