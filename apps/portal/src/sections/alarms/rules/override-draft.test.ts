import type { Rule } from '@longreach/rules/rule'
import { expect, test } from 'vitest'
import { overrideDraft, limitsOfLevels, overrideOf } from './override-draft.ts'
import { newRule } from './rule-draft.ts'

const rule = {
  ...newRule('Oven:1'),
  when: { path: 'Oven:1/temp', op: '>' },
  levels: [
    { severity: 3, value: 215, clear: 210 },
    { severity: 5, value: 230 },
  ],
} as Rule // a whole rule

test('what is typed is an override, and it is typed again as it was', () => {
  const until = new Date(2026, 11, 24, 18, 0).getTime()
  const override = {
    levels: [null, { value: 240 }],
    onDelayMs: 1_500,
    outOfServiceUntil: until,
    reason: 'repair',
  }
  const draft = overrideDraft(rule, override)
  expect(draft).toEqual({
    levels: [
      { value: '', clear: '' },
      { value: 240, clear: '' },
    ],
    onDelayS: 1.5,
    offDelayS: '',
    until: '2026-12-24T18:00',
    reason: 'repair',
  })
  expect(overrideOf(draft)).toEqual(override)
  expect(overrideOf(overrideDraft(rule, undefined))).toEqual({ levels: [], reason: '' })
})

test('empty fields show the limits of the rule', () => {
  expect(limitsOfLevels(rule)).toEqual([
    { value: 215, clear: 210 },
    { value: 230, clear: undefined },
  ])
})
