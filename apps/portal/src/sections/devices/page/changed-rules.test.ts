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
  )
  expect(changed.map(({ path }) => path)).toEqual(['level', 'switch', 'pressure'])
})
