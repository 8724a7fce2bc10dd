import { expect, test } from 'vitest'
import { tableCsv } from './explore-csv.ts'

const line = (name: string, times: number[], values: (number | null)[], more = {}) => ({
  id: name,
  name,
  color: 'red',
  times,
  values,
  ...more,
})

test('lines stand beside each other, empty where one has no value', () => {
  const csv = tableCsv(
    [line('a', [0, 1000], [1.5, null], { unit: '°C' }), line('=b', [1000], [2])],
    { from: 0, to: 1000 },
    'Europe/Rome',
  )
  expect(csv).toBe(
    "time (Europe/Rome),a (°C),'=b\r\n1970-01-01T01:00:00.000+01:00,1.5,\r\n1970-01-01T01:00:01.000+01:00,,2\r\n",
  )
})

test('hidden lines and times outside the window are left out', () => {
  const csv = tableCsv(
    [line('a', [0, 5], [1, 2]), line('b', [5], [9], { hidden: true })],
    { from: 4, to: 9 },
    'UTC',
  )
  expect(csv.split('\r\n')).toEqual(['time (UTC),a', '1970-01-01T00:00:00.005+00:00,2', ''])
})
