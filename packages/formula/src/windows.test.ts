import { expect, test } from 'vitest'
import { readWindows, stepAt } from './windows.ts'

const minutes = { size: 5, unit: 'minutes' }
const map = 'a'

test.each([
  ['nothing', { functions: { formula: { map } } }, { ignored: [] }],
  [
    'steps with a figure',
    { alignment: { sampling: minutes, aggregation: { type: 'p95' } } },
    { windows: { sampling: minutes, figure: { name: 'percentile', param: 95 } }, ignored: [] },
  ],
  [
    'stretches, and how they are reduced',
    {
      aggregation: { mode: 'SCALAR', size: 1, unit: 'hour' },
      functions: { formula: { map, reduce: { operator: 'MAX' } } },
    },
    {
      windows: {
        window: { mode: 'SCALAR', figure: { name: 'max' }, span: { size: 1, unit: 'hours' } },
      },
      ignored: [],
    },
  ],
  [
    'a reduction of the latest steps',
    {
      alignment: { sampling: { ...minutes, extent: 12 } },
      functions: { formula: { map, reduce: { operator: 'sum' } } },
    },
    {
      windows: {
        sampling: minutes,
        window: { mode: 'MOVING', figure: { name: 'sum' }, span: { size: 60, unit: 'minutes' } },
      },
      ignored: [],
    },
  ],
  [
    'what is switched off',
    { aggregation: { mode: 'DISABLED', size: 1, unit: 'hours' } },
    { ignored: [] },
  ],
  [
    'what cannot be read',
    {
      alignment: { sampling: { size: 1, unit: 'moons' }, aggregation: 'max' },
      aggregation: { mode: 'NEVER' },
      functions: { reduce: 'AVG', formula: { map, reduce: { operator: 'guess' } } },
    },
    {
      ignored: [
        'alignment.sampling',
        'alignment.aggregation',
        'functions.reduce',
        'functions.formula.reduce',
        'aggregation',
      ],
    },
  ],
  [
    'a reduction of no stretch',
    { functions: { formula: { map, reduce: { operator: 'sum' } } } },
    { ignored: ['functions.formula.reduce'] },
  ],
])('of time a formula says %s [C-21]', (_, source, read) => {
  expect(readWindows(source)).toEqual(read)
})

test.each([
  [{ size: 15, unit: 'minutes' }, '2026-03-29T01:44:59Z', '2026-03-29T01:30', '2026-03-29T01:45'],
  [{ size: 1, unit: 'weeks' }, '2026-11-22T23:59:59Z', '2026-11-16T00:00', '2026-11-23T00:00'],
  [{ size: 3, unit: 'months' }, '2026-05-31T12:00:00Z', '2026-04-01T00:00', '2026-07-01T00:00'],
  [{ size: 1, unit: 'years' }, '1969-06-01T00:00:00Z', '1969-01-01T00:00', '1970-01-01T00:00'],
] as const)('steps of %o begin at multiples of their length', (span, t, start, end) => {
  const step = stepAt(span, Date.parse(t))
  const words = [step.start, step.end].map((time) => new Date(time).toISOString().slice(0, 16))
  expect(words).toEqual([start, end])
})
