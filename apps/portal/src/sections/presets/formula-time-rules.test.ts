import { readWindows } from '@longreach/formula/windows'
import { expect, test } from 'vitest'
import { readTime, timeFaults, withText, withTime } from './formula-time-rules.ts'
import type { Leaf, Tree } from './preset-tree-rules.ts'

const computed = (more: object = {}, formula: object = {}): Leaf => ({
  type: 'double',
  mode: 'R',
  datalink: {
    type: 'formula',
    source: { ...more, functions: { formula: { map: 'a + b', ...formula } } },
  },
})
const sourceOf = (leaf: Leaf) => leaf.datalink?.source as Tree // as it is made here

test('a formula that says nothing of time is computed at each value, and stays as it is', () => {
  const leaf = computed()
  const time = readTime(leaf)
  expect(time).toMatchObject({ stepUnit: '', over: 'none', fill: 'EXTEND_LAST_VALUE' })
  expect(withTime(leaf, time)).toEqual(leaf)
})

test.for<[string, Leaf]>([
  ['steps', computed({ alignment: { sampling: { size: 5, unit: 'minutes' } } })],
  [
    'steps with a percentile and the last six of them',
    computed(
      {
        alignment: {
          sampling: { size: 1, unit: 'hours', extent: 6 },
          aggregation: { type: 'percentile', param: 90 },
          missingValues: { fillPolicy: 'USE_ZERO', paddingPolicy: 'ZERO' },
        },
      },
      { reduce: { operator: 'max' } },
    ),
  ],
  [
    'each day',
    computed(
      { aggregation: { mode: 'SCALAR', size: 1, unit: 'days' } },
      { reduce: { operator: 'sum' } },
    ),
  ],
  [
    'the week before each result',
    computed(
      { aggregation: { mode: 'MOVING', size: 1, unit: 'weeks' } },
      { reduce: { operator: 'percentile', param: 50 } },
    ),
  ],
])('%s: what is read is written again, and the platform reads the same [V-01]', ([, leaf]) => {
  const again = withTime(leaf, readTime(leaf))
  expect(again).toEqual(leaf)
  expect(readWindows(sourceOf(again))).toEqual(readWindows(sourceOf(leaf)))
  expect(readWindows(sourceOf(again)).ignored).toEqual([])
})

test('other ways to write the same mean the same to the platform afterwards', () => {
  const leaf = computed(
    { alignment: { sampling: { unit: 'minute' }, aggregation: 'avg' } },
    { reduce: 'p95' },
  )
  const again = withTime(leaf, readTime(leaf))
  expect(readWindows(sourceOf(again))).toEqual(readWindows(sourceOf(leaf)))
})

test('another text leaves sampling and reduce as they are', () => {
  const leaf = computed({ alignment: { sampling: { size: 5, unit: 'minutes' } } })
  const { source } = withText(leaf, 'a - b') as { source: Tree }
  expect(source).toMatchObject({
    alignment: { sampling: { size: 5, unit: 'minutes' } },
    functions: { formula: { map: 'a - b' } },
  })
})

test('the last steps are summed up only where there are steps', () => {
  const leaf = computed(
    { alignment: { sampling: { size: 1, unit: 'minutes', extent: 3 } } },
    { reduce: { operator: 'max' } },
  )
  const without = withTime(leaf, { ...readTime(leaf), stepUnit: '' })
  expect(sourceOf(without)).toEqual({ functions: { formula: { map: 'a + b' } } })
})

test('numbers that cannot be are named by their field, those that do not count are not', () => {
  const time = readTime(computed({ alignment: { sampling: { size: 0, unit: 'minutes' } } }))
  expect(timeFaults(time)).toEqual({ stepSize: 'size' })
  expect(timeFaults({ ...time, stepUnit: '' })).toEqual({})
  const percentile = { ...time, stepSize: 1, stepFigure: 'percentile', stepParam: 101 }
  expect(timeFaults(percentile)).toEqual({ stepParam: 'percentile' })
  expect(timeFaults({ ...time, stepSize: 1, over: 'SCALAR', overSize: '' })).toEqual({
    overSize: 'size',
  })
})
