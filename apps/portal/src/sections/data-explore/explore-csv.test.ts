import { expect, test } from 'vitest'
import { rowsCsv, rowsText } from './explore-csv.ts'

const plain = { zone: 'Europe/Rome', text: (cell: number) => (cell === 9 ? '=run' : cell) }
const rows = [
  [0, 1.5, undefined],
  [1000, null, 9],
]

test('a table is kept with times in its zone, empty where nothing is [R-16]', () => {
  expect(rowsCsv(['Time (Europe/Rome)', 'a (°C)', '=b'], rows, plain)).toBe(
    "Time (Europe/Rome),a (°C),'=b\r\n1970-01-01T01:00:00.000+01:00,1.5,\r\n1970-01-01T01:00:01.000+01:00,,'=run\r\n",
  )
})

test('what is copied has tabs between its cells, and none inside', () => {
  expect(rowsText(['Time', 'a\tb', 'c'], rows, plain)).toBe(
    "Time\ta b\tc\n1970-01-01T01:00:00.000+01:00\t1.5\t\n1970-01-01T01:00:01.000+01:00\t\t'=run",
  )
})
