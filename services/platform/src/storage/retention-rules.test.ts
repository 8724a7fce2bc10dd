import { expect, test } from 'vitest'
import {
  cutTime,
  daysOfLimit,
  keepDaysOf,
  limitAbove,
  modelOf,
  type Rule,
} from './retention-rules.ts'

const rule = (organization: string, keepDays: number, of: { model?: string; path?: string } = {}) =>
  ({ organization, keepDays, model: '', path: '', ...of }) satisfies Rule

const rules = [
  rule('acme', 365),
  rule('acme', 30, { model: 'Pump' }),
  rule('acme', 90, { path: 'Pump:1/flow' }),
  rule('acme', 60, { path: 'Pump:1/motor/**' }),
  rule('acme.east', 10, { model: 'Oven' }),
  rule('acme.east.hall', 400),
]

test.each([
  ['acme', 'Oven:1/heat', 365],
  ['acme', 'Pump:1/speed', 30],
  ['acme', 'Pump:1/flow', 90],
  ['acme', 'Pump:1/motor/current', 60],
  ['acme.east', 'Oven:2/heat', 10],
  ['acme.east', 'Pump:1/flow', 90],
  // Below, time can be shortened and not made longer.
  ['acme.east.hall', 'Oven:1/heat', 10],
  ['acme.east.hall', 'Press:1/force', 365],
  ['acmeast', 'Oven:1/heat', undefined],
])('in %s values of %s are kept for %s days', (organization, path, days) => {
  expect(keepDaysOf(rules, organization, path)).toBe(days)
})

test('what is above limits what may be saved below', () => {
  expect(limitAbove(rules, 'acme.east', { model: '', path: '' })).toBe(365)
  expect(limitAbove(rules, 'acme.east', { model: 'Pump', path: '' })).toBe(30)
  expect(limitAbove(rules, 'acme.east', { model: '', path: 'Pump:1/motor/**' })).toBe(60)
  expect(limitAbove(rules, 'acme.east', { model: '', path: 'Pump:1/flow' })).toBe(90)
  expect(limitAbove(rules, 'acme', { model: '', path: '' })).toBeUndefined()
})

test('the limit of a preset is read where it says a time', () => {
  expect(['90d', 'P90D', '12m', '2w', '1y'].map(daysOfLimit)).toEqual([90, 90, 360, 14, 365])
  expect(['', '1000', 'P', '5h', '-3d', undefined].map(daysOfLimit)).toEqual(
    Array(6).fill(undefined),
  )
})

test('all runs of a day cut at one place', () => {
  const day = 86_400_000
  const midnight = Date.UTC(2026, 2, 14)
  expect(cutTime(10, midnight)).toBe(midnight - 10 * day)
  expect(cutTime(10, midnight + day - 1)).toBe(midnight - 10 * day)
  expect(modelOf('Pump:1/flow')).toBe('Pump')
})
