import { expect, test } from 'vitest'
import { panesOf, switchesAside } from './explore-panes.ts'

const line = (id: string, more = {}) => ({
  id,
  name: id,
  color: 'red',
  times: [],
  values: [],
  ...more,
})
const series = [
  line('a', { unit: '°C' }),
  line('b', { unit: 'bar' }),
  line('c', { unit: '°C' }),
  line('on', { states: ['Off', 'On'] }),
  line('text', { states: ['Idle', 'Run', 'Fault'] }),
]
const ids = (split: 'none' | 'unit' | 'series') =>
  panesOf(series, [line('a earlier')], split).map((pane) => pane.series.map(({ id }) => id))

test('lines stand in one chart, in one for each unit, or each in its own [R-16]', () => {
  expect(ids('none')).toEqual([['a', 'b', 'c', 'on', 'a earlier']])
  expect(ids('unit')).toEqual([['a', 'c', 'a earlier'], ['b'], ['on']])
  expect(ids('series')).toEqual([['a', 'a earlier'], ['b'], ['c'], ['on']])
})

test('a switch beside numbers is measured on the right, unless numbers are there', () => {
  const sides = (...lines: Parameters<typeof switchesAside>[0]) =>
    switchesAside(lines).map(({ axis = 'left' }) => axis)
  const on = line('on', { states: ['Off', 'On'] })
  expect(sides(line('a'), on)).toEqual(['left', 'right'])
  expect(sides(line('a', { axis: 'right' }), on)).toEqual(['right', 'left'])
  expect(sides(on)).toEqual(['left'])
  expect(sides(line('a', { hidden: true }), on)).toEqual(['left', 'left'])
})

test('texts are in no chart: they are lanes', () => {
  expect(panesOf([line('text', { states: ['Idle', 'Run', 'Fault'] })], [], 'none')).toEqual([])
})
