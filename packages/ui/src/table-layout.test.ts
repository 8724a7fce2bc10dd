import { expect, test } from 'vitest'
import { asDrawn, type Column, drawnWidth } from './table-layout.ts'
import { isShown } from './use-row-model.ts'

const column: Column<string> = { id: 'name', label: 'Name', width: 160, grow: 2, cell: String }

test.each([
  [-20, 48],
  [47.6, 48],
  [160.4, 160],
  [800.5, 800],
  [Infinity, 800],
])('a column that is drawn %d px wide becomes %d px', (drawn, width) =>
  expect(drawnWidth(drawn)).toBe(width),
)

test('a column that was drawn no longer grows into the width that is left over', () => {
  expect(asDrawn(column, { name: 90 })).toEqual({
    id: 'name',
    label: 'Name',
    width: 90,
    cell: String,
  })
  expect(asDrawn(column, { other: 90 })).toBe(column)
})

test.each([
  ['a usual column', {}, undefined, true],
  ['a column that is off by default', { hidden: true }, undefined, false],
  ['one that the person turned on', { hidden: true }, true, true],
  ['one that the person turned off', {}, false, false],
  ['a fixed column, whatever was kept', { fixed: true }, false, true],
] as const)('%s is shown as expected', (_, facts, kept, shown) => {
  const layout = {
    shown: kept === undefined ? {} : { name: kept },
    widths: {},
    density: 'normal' as const,
  }
  expect(isShown({ ...facts, id: 'name' }, layout)).toBe(shown)
})
