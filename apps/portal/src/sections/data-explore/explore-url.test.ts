import { expect, test } from 'vitest'
import { formulaLineText, lettersOf, parseFormulas } from './explore-formulas.ts'
import { exploreState, lineText, mostLines, parseLines, stateOf, toggled } from './explore-url.ts'

const oven = { device: 'aaaaaaaaaaaaaaaaaaaaaa', path: 'Oven:1/zones[2]/temperature' }

test('lines survive the way through an address [R-16]', () => {
  const lines = [
    { ...oven, axis: 'right', hidden: true, color: 3, kind: 'area', letter: 'c' },
    { device: 'b', path: 'x', axis: 'left', hidden: false, color: 0, kind: 'line', letter: 'a' },
  ] as const
  expect(parseLines(lines.map(lineText))).toEqual(lines)
})

test('what is no line is left out, and one line stands once', () => {
  expect(parseLines(['', '/x', 'b/', 'nonsense', 'b/x', 'b/x;right'])).toEqual([
    { device: 'b', path: 'x', axis: 'left', hidden: false, color: 4, kind: 'line', letter: 'a' },
  ])
})

test('a new line takes the first free colour', () => {
  const one = toggled([], oven)
  const two = toggled(one, { device: 'b', path: 'x' })
  expect(two.map(({ color }) => color)).toEqual([0, 1])
  const without = toggled(two, oven)
  expect(toggled(without, { device: 'c', path: 'y' }).map(({ color }) => color)).toEqual([1, 0])
})

test('no more lines than can be told apart', () => {
  const many = Array.from({ length: mostLines }, (_, index) => `d/p${index}`)
  const lines = parseLines([...many, 'd/more'])
  expect(lines).toHaveLength(mostLines)
  expect(toggled(lines, oven)).toHaveLength(mostLines)
})

test('a saved view keeps the state of the explorer and nothing else [R-16]', () => {
  const search = {
    s: ['b/x;c0'],
    f: ['a;c1'],
    split: 'unit',
    compare: 'week',
    view: 'an-id',
    paused: '1h',
  }
  expect(stateOf(search)).toEqual({ s: ['b/x;c0'], f: ['a;c1'], split: 'unit', compare: 'week' })
  expect(exploreState(search)).toMatchObject({ split: 'unit', comparison: 'week', paused: '1h' })
})

test('what an address says wrongly is as if it said nothing', () => {
  expect(exploreState({ of: 'nonsense', split: '7', compare: '', range: 'x' })).toMatchObject({
    figure: 'average',
    split: 'none',
    comparison: 'none',
    range: '1h',
  })
})

test('a line keeps its letter when one before it goes [R-16]', () => {
  const lines = parseLines(['d/x', 'd/y;vb', 'd/z;vb'])
  expect(lines.map(({ letter }) => letter)).toEqual(['a', 'b', 'c'])
  const without = toggled(lines, { device: 'd', path: 'x' })
  expect(without.map(({ letter }) => letter)).toEqual(['b', 'c'])
  expect(toggled(without, oven).map(({ letter }) => letter)).toEqual(['b', 'c', 'a'])
})

test('formulas survive the way through an address, whatever they hold [R-16]', () => {
  const look = { axis: 'right', hidden: false, color: 2, kind: 'area' } as const
  const formulas = [
    { ...look, text: "a - b + length(';')", name: 'Wärme; heat', unit: '°C' },
    { ...look, text: 'a / 1000', name: '', unit: '' },
  ]
  expect(parseFormulas(formulas.map(formulaLineText))).toEqual(formulas)
  expect(parseFormulas(['', ' ;c1', '%E0%A4', 'a', 'a;right'])).toMatchObject([{ text: 'a' }])
  expect(lettersOf('a - max(b, c)')).toEqual(['a', 'b', 'c'])
  expect(lettersOf('a -')).toEqual([])
})
