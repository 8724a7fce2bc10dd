import type { Rule } from '@longreach/rules/rule'
import { expect, test } from 'vitest'
import { differencesOf } from './rule-differences.ts'
import { newRule } from './rule-draft.ts'

const ruleWith = (more: object): Rule => ({ ...newRule('Oven:1'), ...more })
const when = { path: 'Oven:1/temp', op: '>', value: 230 }

test('versions differ at places, with the value before and after', () => {
  const before = ruleWith({ when, onDelayMs: 0 })
  expect(differencesOf(before, structuredClone(before))).toEqual([])
  const after = ruleWith({ when: { ...when, value: 240, clear: 235 }, onDelayMs: 5_000 })
  expect(differencesOf(before, after)).toEqual(
    expect.arrayContaining([
      { place: 'when.value', before: 230, after: 240 },
      { place: 'when.clear', before: undefined, after: 235 },
      { place: 'onDelayMs', before: 0, after: 5_000 },
    ]),
  )
  expect(differencesOf(before, after)).toHaveLength(3)
})

test('another number of levels, and a group in place of a comparison, differ as a whole', () => {
  const before = ruleWith({ when, levels: [{ severity: 3 }] })
  const levels = [{ severity: 3 }, { severity: 5 }]
  expect(differencesOf(before, ruleWith({ when, levels })).map(({ place }) => place)).toEqual([
    'levels',
  ])
  const grouped = differencesOf(before, ruleWith({ when: { all: [when] }, levels: before.levels }))
  expect(grouped.map(({ place }) => place).toSorted()).toEqual([
    'when.all',
    'when.op',
    'when.path',
    'when.value',
  ])
})
