import { expect, test } from 'vitest'
import { mostChanged } from './changed-rules.ts'

const figures = (path: string, low: number | null, high: number | null) => ({
  path,
  first: low,
  last: high,
  low,
  high,
})

test('what moved most for its size comes first, what rested not at all', () => {
  const changed = mostChanged(
    [
      figures('pressure', 100, 101),
      figures('still', 5, 5),
      figures('silent', null, null),
      figures('switch', 0, 1),
      figures('level', -2, 2),
    ],
    3,
    (_, value) => String(value),
  )
  expect(changed.map(({ path }) => path)).toEqual(['level', 'switch', 'pressure'])
})

test('a change too small to be read is none', () => {
  const rounded = (_: string, value: number | null) => `${Math.round(value ?? 0)} °C`
  const all = [figures('held', 195.01, 195.02), figures('moved', 195, 197)]
  expect(mostChanged(all, 3, rounded).map(({ path }) => path)).toEqual(['moved'])
})
