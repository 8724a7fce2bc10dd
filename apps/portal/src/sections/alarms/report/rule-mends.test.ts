import { Rule } from '@longreach/rules/rule'
import { expect, test } from 'vitest'
import { mended, mendIn, mendSearch, mendsOf } from './rule-mends.ts'

const ruleOf = (given: object) =>
  Rule.parse({
    name: 'Hot',
    scope: { model: 'Oven:1' },
    kind: 'condition',
    when: { path: 'Oven:1/temp', op: '>', value: 230 },
    levels: [{ severity: 3 }],
    onDelayMs: 5_000,
    ...given,
  })
const rule = ruleOf({})

test('a delay that 80 of 100 alarms do not outlast is added to the one that is there [R-22 in part]', () => {
  expect(mendsOf(rule, { lasted80S: 7, beyond90: null })).toEqual([
    { kind: 'delay', delayMs: 15_000 },
  ])
  expect(mendsOf(rule, { lasted80S: 601, beyond90: null })).toEqual([])
  expect(mended(rule, { kind: 'delay', delayMs: 15_000 })).toMatchObject({ onDelayMs: 15_000 })
  const silent = ruleOf({ kind: 'silence', when: { forMs: 60_000 }, onDelayMs: 0 })
  const [mend] = mendsOf(silent, { lasted80S: 30, beyond90: null })
  expect(mended(silent, mend!)).toMatchObject({ when: { forMs: 90_000 }, onDelayMs: 0 })
})

test('a dead-band is twice the distance from the limit, rounded up, on the side of its end', () => {
  const [mend] = mendsOf(rule, { lasted80S: null, beyond90: 1.2 })
  expect(mend).toEqual({ kind: 'band', band: 5 })
  expect(mended(rule, mend!)).toMatchObject({ when: { value: 230, clear: 225 } })
  const low = ruleOf({ when: { path: 'a', op: '<', value: 0.3, clear: 0.4 } })
  const [wider] = mendsOf(low, { lasted80S: null, beyond90: 0.05 })
  expect(wider).toEqual({ kind: 'band', band: 0.2 })
  expect(mended(low, wider!)).toMatchObject({ when: { clear: 0.5 } })
})

test('each level has its own end, and another path the width', () => {
  const levels = [
    { severity: 3, value: 10 },
    { severity: 5, value: 20 },
  ]
  const leveled = ruleOf({ when: { path: 'a', op: '>' }, levels })
  expect(mended(leveled, { kind: 'band', band: 2 })).toMatchObject({
    levels: [{ clear: 8 }, { clear: 18 }],
  })
  const other = ruleOf({ when: { path: 'a', op: '>', otherPath: 'b' } })
  expect(mended(other, { kind: 'band', band: 2 })).toMatchObject({ when: { clear: 2 } })
})

test('a group, a change or a value at its limit have no dead-band', () => {
  const leaf = { path: 'a', op: '>', value: 1 }
  for (const when of [
    { all: [leaf] },
    { path: 'a', op: 'changed' },
    { path: 'a', op: '==', value: 1 },
  ])
    expect(mendsOf(ruleOf({ when }), { lasted80S: null, beyond90: 3 })).toEqual([])
  expect(mendsOf(rule, { lasted80S: null, beyond90: 0 })).toEqual([])
})

test('a mend goes through an address, and nothing else does', () => {
  for (const mend of [
    { kind: 'delay', delayMs: 15_000 } as const,
    { kind: 'band', band: 0.2 } as const,
  ])
    expect(mendIn({ delay: undefined, band: undefined, ...mendSearch(mend) })).toEqual(mend)
  for (const bad of ['', 'x', '-1', '0', '1e999'])
    expect(mendIn({ delay: bad, band: bad })).toBeUndefined()
})
