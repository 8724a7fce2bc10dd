import { expect, test } from 'vitest'
import { bind, changeLeaves, compute } from './bind-rules.ts'
import { freshTrigger } from './policy-rules.ts'
import { emptyPreset, type Row, rowsOf, type Tree } from './preset-tree-rules.ts'
import { fastValues, wrongTimes } from './save-rules.ts'
import { readTime, withTime } from './formula-time-rules.ts'
import { nodeAt, withNode } from './preset-tree-rules.ts'

const model: Tree = {
  type: 'object',
  instanceOf: 'Oven:1.0.0',
  properties: { air: { type: 'double' }, power: { type: 'double' } },
}
const values = rowsOf(model)
const [air, power] = values as [Row, Row]
const fast = { triggers: [{ ...freshTrigger('onchange'), minIntervalMs: 100 }] }
const bound = bind(bind(emptyPreset(model, 'u'), model, air, 'T1'), model, power, 'P1')
const withFastAir = changeLeaves(bound, model, [air], { sendPolicy: fast })

test('a value that is sent too often keeps a preset from being saved', () => {
  expect(fastValues({ values, data: withFastAir, stored: undefined })).toEqual([
    { path: 'air', stored: false },
  ])
  expect(fastValues({ values, data: bound, stored: undefined })).toEqual([])
})

test('one that was stored like this is told only, until it is changed', () => {
  expect(fastValues({ values, data: withFastAir, stored: withFastAir })).toEqual([
    { path: 'air', stored: true },
  ])
  const faster = { triggers: [{ ...freshTrigger('onchange'), minIntervalMs: 50 }] }
  const data = changeLeaves(withFastAir, model, [air], { sendPolicy: faster })
  expect(fastValues({ values, data, stored: withFastAir })).toEqual([
    { path: 'air', stored: false },
  ])
})

test('a formula whose steps have no size is found, with its path', () => {
  const computed = compute(bound, model, power, 'air * 2')
  const leaf = nodeAt(computed, ['power'])!
  const stepped = (stepSize: unknown) =>
    withNode(
      computed,
      model,
      ['power'],
      withTime(leaf, { ...readTime(leaf), stepUnit: 'minutes', stepSize }),
    )
  expect(wrongTimes({ values, data: computed, stored: undefined })).toEqual([])
  expect(wrongTimes({ values, data: stepped(5), stored: undefined })).toEqual([])
  expect(wrongTimes({ values, data: stepped(''), stored: undefined })).toEqual([
    { path: 'power', stored: false },
  ])
  expect(wrongTimes({ values, data: stepped(0), stored: stepped(0) })).toEqual([
    { path: 'power', stored: true },
  ])
})
