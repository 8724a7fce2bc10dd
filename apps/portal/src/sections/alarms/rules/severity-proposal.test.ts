import { expect, test } from 'vitest'
import { consequences, proposedSeverity } from './severity-proposal.ts'

const minute = 60_000

test('a worse consequence, or less time, never proposes a lower severity', () => {
  const times = [minute, 5 * minute, 20 * minute, 60 * minute, undefined]
  const table = consequences.map((one) => times.map((time) => proposedSeverity(one, time)))
  for (const row of table) expect(row).toEqual(row.toSorted((one, other) => other - one))
  for (const [index] of times.entries()) {
    const column = table.map((row) => row[index] ?? -1)
    expect(column).toEqual(column.toSorted((one, other) => one - other))
  }
  expect(proposedSeverity('severe', minute)).toBe(6)
  expect(proposedSeverity('minor', undefined)).toBe(1)
  expect(proposedSeverity('none', minute)).toBe(0)
})
