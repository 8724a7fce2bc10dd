import { expect, test } from 'vitest'
import { severityName } from '../../parts/alarms/severity.ts'
import { skipOf } from '../../parts/alarms/alarm-state.ts'
import { lengthText } from '../../parts/alarms/length-text.ts'
import { steadyRows } from './steady-rows.ts'

test('new rows wait and are counted, changed ones change, gone ones keep their place', () => {
  const shown = [
    { id: 'a', n: 1 },
    { id: 'b', n: 1 },
  ]
  const present = [
    { id: 'new', n: 1 },
    { id: 'b', n: 2 },
  ]
  expect(steadyRows(shown, present)).toEqual({
    rows: [
      { id: 'a', n: 1, gone: true },
      { id: 'b', n: 2 },
    ],
    added: 1,
  })
})

test('any severity of a device has a name', () => {
  expect([-5, 0, 1, 2, 3, 4, 5, 6, 2 ** 31].map(severityName)).toEqual([
    'info',
    'info',
    'low',
    'low',
    'medium',
    'medium',
    'high',
    'critical',
    'critical',
  ])
})

test('an action leaves what it cannot change, as the table of states says [T-07 in part]', () => {
  const state = (status: 'ACTIVE' | 'NOT_ACTIVE' | 'CLEARED', ack = false, reset = false) => ({
    status,
    ack: ack ? ('REQUIRED' as const) : ('NOT_REQUIRED' as const),
    reset: reset ? ('REQUIRED' as const) : ('NOT_REQUIRED' as const),
    action: 'NO_ACK' as const,
  })
  const skips = (given: ReturnType<typeof state>) =>
    (['ack', 'reset', 'clear'] as const).map((action) => skipOf(action, given) ?? 'done')
  expect(skips(state('ACTIVE', true))).toEqual(['done', 'already', 'done'])
  expect(skips(state('ACTIVE', true, true))).toEqual(['done', 'ack_first', 'done'])
  expect(skips(state('ACTIVE', false, true))).toEqual(['already', 'still_active', 'done'])
  expect(skips(state('NOT_ACTIVE', true))).toEqual(['done', 'already', 'done'])
  expect(skips(state('NOT_ACTIVE', false, true))).toEqual(['already', 'done', 'done'])
  expect(skips(state('NOT_ACTIVE'))).toEqual(['closed', 'closed', 'closed'])
  expect(skips(state('CLEARED', true))).toEqual(['closed', 'closed', 'closed'])
})

test('lengths of time are said in their two largest units', () => {
  expect(
    [0, 250, 1_500, 60_000, 61_000, 5_400_000, 90_061_000].map((ms) => lengthText(ms, 'en')),
  ).toEqual(['0 sec', '250 ms', '1.5 sec', '1 min', '1 min 1 sec', '1 hr 30 min', '1 day 1 hr'])
})
