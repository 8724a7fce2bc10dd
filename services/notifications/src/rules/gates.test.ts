import { expect, test } from 'vitest'
import type { ToldAlarm } from '../message-contract.ts'
import { NotificationSettings } from './contract.ts'
import { gatesOf } from './gates.ts'
import { nameTest } from './name-pattern.ts'

test.each([
  ['oven*', 'Oven 7', true],
  ['*too hot*', 'Oven too hot!', true],
  ['oven', 'oven 7', false],
  ['*', '', true],
  ['a*b*c', 'a-b-b-c', true],
  ['ab*ba', 'aba', false],
  ['a.c', 'abc', false],
  ['**', 'x', true],
])('the pattern %j and the name %j: %s', (pattern, name, fits) =>
  expect(nameTest(pattern)(name)).toBe(fits),
)

const monday = Date.UTC(2026, 0, 5, 12)
const alarm = {
  name: 'Too hot',
  tag: 'T1',
  severity: 5,
  level: 5,
  ack: 'REQUIRED',
  isOpen: true,
  isShelved: false,
  shelf: null,
  isDeviceDeleted: false,
  groups: [3, 7],
  longreach: { suppressed: false, withdrawn: false, late: false, returnedAt: null, heardAt: 0 },
} as unknown as ToldAlarm // the fields that gates read
const stoppedBy = (
  settings: object,
  changed: object = {},
  more: { now?: number; waitedMs?: number } = {},
) =>
  gatesOf({
    settings: NotificationSettings.parse({ name: 'x', ...settings }),
    alarm: { ...alarm, ...changed },
    now: more.now ?? monday,
    waitedMs: more.waitedMs ?? 0,
  }).find(({ passed }) => !passed)?.gate

test.each<[string | undefined, object, object?, object?]>([
  [undefined, {}],
  ['rule', { enabled: false }],
  ['severity', { minimumSeverity: 6 }],
  [undefined, { minimumSeverity: 5 }],
  ['name', { nameFilters: ['cold*'] }],
  [undefined, { nameFilters: ['cold*', 'too*'] }],
  ['group', { deviceGroupFilters: [1] }],
  [undefined, { deviceGroupFilters: ['7'] }],
  ['expression', { extraFilters: ['tag == "T2"'] }],
  [undefined, { extraFilters: ['tag == "T1" and severity >= 5', ''] }],
  ['device', {}, { isDeviceDeleted: true }],
  ['shelf', {}, { isShelved: true }],
  ['suppressed', {}, { longreach: { ...alarm.longreach, suppressed: true } }],
  ['withdrawn', {}, { longreach: { ...alarm.longreach, withdrawn: true } }],
  [
    'late',
    {},
    { longreach: { ...alarm.longreach, late: true, returnedAt: 1, heardAt: 3_700_000 } },
  ],
  ['ack', { ackTime: 5 }, { ack: 'NOT_REQUIRED' }, { waitedMs: 300_000 }],
  [undefined, { ackTime: 5 }, { ack: 'NOT_REQUIRED' }, { waitedMs: 299_999 }],
  ['day', { days: [0, 'saturday'] }],
  [undefined, { days: ['MON'] }],
  ['day', { longreach: { times: [{ from: '13:00', to: '11:00' }] } }],
  [undefined, { longreach: { times: [{ from: '13:00', to: '11:00' }], zone: 'Europe/Berlin' } }],
])('gate %s stops %j', (gate, settings, changed, more) => {
  expect(stoppedBy(settings, changed, more)).toBe(gate)
})
