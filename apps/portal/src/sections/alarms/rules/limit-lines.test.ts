import type { Rule } from '@longreach/rules/rule'
import { expect, test } from 'vitest'
import { drawnLimits, drawnRange, movedLimit, onStep, pathsNamed, stepOf } from './limit-lines.ts'
import { newRule } from './rule-draft.ts'

const ruleWith = (more: object): Rule => ({ ...newRule('Oven:1'), ...more })

test('limits and the end of a comparison are lines, those of levels too', () => {
  const when = { path: 'Oven:1/temp', op: '>', value: 230, clear: 225 }
  expect(drawnLimits(ruleWith({ when, levels: [{ severity: 5 }] }))).toEqual({
    path: 'Oven:1/temp',
    lines: [
      { place: 'when.value', end: undefined, value: 230, kind: 'limit', severity: 5 },
      { place: 'when.clear', end: undefined, value: 225, kind: 'clear', severity: 5 },
    ],
  })
  const levels = [
    { severity: 3, value: 215 },
    { severity: 5, value: 230, clear: 228 },
  ]
  const found = drawnLimits(ruleWith({ when: { path: 'Oven:1/temp', op: '>' }, levels }))
  expect(found?.lines.map(({ place, value }) => [place, value])).toEqual([
    ['levels.0.value', 215],
    ['levels.1.value', 230],
    ['levels.1.clear', 228],
  ])
})

test('of a group the first comparison with numbers is drawn; texts and other paths have no line', () => {
  const texts = { path: 'Oven:1/mode', op: '==', value: 'auto' }
  const other = { path: 'Oven:1/temp', op: '>', otherPath: 'Oven:1/set' }
  const band = { path: 'Oven:1/temp', op: 'outside', value: [10, 20] }
  const found = drawnLimits(ruleWith({ when: { all: [texts, { not: other }, band] } }))
  expect(found?.lines.map(({ place, end, value }) => [place, end, value])).toEqual([
    ['when.all.2.value', 0, 10],
    ['when.all.2.value', 1, 20],
  ])
  expect(drawnLimits(ruleWith({ when: texts }))).toBeUndefined()
  expect(drawnLimits(ruleWith({ kind: 'silence', when: { forMs: 1 } }))).toBeUndefined()
})

test('a moved end of a band does not pass the other', () => {
  expect(movedLimit(230, { end: undefined }, 231)).toBe(231)
  expect(movedLimit([10, 20], { end: 0 }, 15)).toEqual([15, 20])
  expect(movedLimit([10, 20], { end: 0 }, 25)).toEqual([20, 20])
  expect(movedLimit([10, 20], { end: 1 }, 5)).toEqual([10, 10])
})

test('a path of a rule names the items of the device', () => {
  const present = ['Oven:1/zones[0]/temp', 'Oven:1/zones[12]/temp', 'Oven:1/zones[0]/tempo']
  expect(pathsNamed('Oven:1/zones[*]/temp', present)).toEqual(present.slice(0, 2))
  expect(pathsNamed('Oven:1/zones[12]/temp', present)).toEqual([present[1]])
})

test('steps are round, and what is moved has their digits', () => {
  expect(drawnRange([0, 100])).toEqual({ low: -10, high: 110 })
  expect(drawnRange([])).toEqual({ low: 0, high: 1 })
  expect(stepOf({ low: 0, high: 100 })).toBe(1)
  expect(stepOf({ low: 0, high: 3 })).toBeCloseTo(0.02)
  expect(onStep(0.1 + 0.2, 0.02)).toBe(0.3)
  expect(onStep(231.4, 1)).toBe(231)
})
