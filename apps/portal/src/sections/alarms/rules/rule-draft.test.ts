import { isLeaf, type Rule } from '@longreach/rules/rule'
import { validateRule } from '@longreach/rules/validate'
import { expect, test } from 'vitest'
import {
  newRule,
  withKind,
  withLevel,
  withoutLevel,
  withoutPart,
  withPart,
  withRuleKind,
} from './rule-draft.ts'
import { valueAt, withAt } from '../../../parts/forms/draft-places.ts'

const complete = (): Rule => ({
  ...newRule('Oven:1'),
  kind: 'condition',
  name: 'Too hot',
  when: { path: 'Oven:1/temp', op: '>', value: 230, clear: 215 },
})
const issuesOf = (rule: Rule) => {
  const read = validateRule(rule)
  return read.ok ? [] : read.issues.map(({ place, code }) => `${place} ${code}`)
}

test('a new rule lacks a name, a data point and a limit, and nothing else', () => {
  expect(issuesOf(newRule('Oven:1'))).toEqual(['name too_short', 'when.path too_short'])
  const named = withAt({ ...newRule('Oven:1'), name: 'Too hot' }, 'when.path', 'Oven:1/temp')
  expect(issuesOf(named)).toEqual(['levels.0.value level_value_missing'])
  expect(issuesOf(complete())).toEqual([])
})

test('a field is changed at its place, and taken away by undefined', () => {
  const rule = withAt(complete(), 'when', { all: [{ path: 'a', op: '>', value: 1 }] })
  const next = withAt(rule, 'when.all.0.value', 2)
  expect(valueAt(next, 'when.all.0.value')).toBe(2)
  expect(valueAt(rule, 'when.all.0.value')).toBe(1)
  expect(valueAt(withAt(next, 'when.all.0.value', undefined), 'when.all.0')).toEqual({
    path: 'a',
    op: '>',
  })
  expect(withAt(complete(), 'unless', undefined)).toEqual(complete())
})

test('a comparison is added under all, and the last one left stands alone again', () => {
  const { when } = complete()
  if (!('op' in when)) throw new Error('The rule has one comparison')
  const both = withPart(when)
  expect(both).toMatchObject({ all: [when, { op: '>' }] })
  expect(withKind(both, 'any')).toMatchObject({ any: [when, { op: '>' }] })
  expect(withPart(both)).toMatchObject({ all: [when, {}, {}] })
  expect(withoutPart(both, 1)).toEqual(when)
  expect(withoutPart({ not: when }, 0)).toEqual(when)
})

test('limits move to the levels when there are several, and back when one is left', () => {
  const two = withLevel(complete())
  expect(two.levels).toEqual([{ severity: 5, value: 230, clear: 215 }, { severity: 6 }])
  expect(two.when).toEqual({ path: 'Oven:1/temp', op: '>' })
  const valid = withAt(two, 'levels.1.value', 250)
  expect(issuesOf(valid)).toEqual([])
  const one = withoutLevel(valid, 0)
  expect(one.levels).toEqual([{ severity: 6 }])
  expect(one.when).toEqual({ path: 'Oven:1/temp', op: '>', value: 250 })
  expect(issuesOf(one)).toEqual([])
})

test('each kind of rule is valid when it is chosen', () => {
  expect(issuesOf(withRuleKind(complete(), 'silence'))).toEqual([])
  expect(issuesOf(withRuleKind(complete(), 'connection'))).toEqual([])
  const back = withRuleKind(withRuleKind(complete(), 'silence'), 'condition')
  expect(back.kind === 'condition' && isLeaf(back.when)).toBe(true)
})
