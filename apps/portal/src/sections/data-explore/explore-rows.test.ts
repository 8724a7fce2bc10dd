import { expect, test } from 'vitest'
import { longRows, sortedLong, sortedWide, wideRows } from './explore-rows.ts'

const line = (times: number[], values: (number | null)[]) => ({
  id: 'x',
  name: 'x',
  color: 'red',
  times,
  values,
})
const wide = wideRows([line([1, 2, 3], [5, null, 4]), line([1, 4, 9], [7, 8, 9])], {
  from: 1,
  to: 4,
})

test('the wide table has a row for each time with a value, the long one for each value [R-16]', () => {
  expect(wide).toEqual([
    { at: 1, values: [5, 7] },
    { at: 3, values: [4, undefined] },
    { at: 4, values: [undefined, 8] },
  ])
  expect(longRows(wide)).toHaveLength(4)
})

test('rows are sorted by time or by a line, and what has no value stands last [R-16]', () => {
  const ats = (down: boolean) => sortedWide(wide, { by: 0, down }).map(({ at }) => at)
  expect(ats(false)).toEqual([3, 1, 4])
  expect(ats(true)).toEqual([1, 3, 4])
  expect(sortedWide(wide, { by: 'time', down: true })[0]?.at).toBe(4)
  const values = sortedLong(longRows(wide), { by: 'value', down: true }).map(({ value }) => value)
  expect(values).toEqual([8, 7, 5, 4])
})
