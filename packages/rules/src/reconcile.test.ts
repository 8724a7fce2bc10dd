import { expect, test } from 'vitest'
import type { Occurrence } from './occurrences.ts'
import { type Correction, reconcile, type Stored } from './reconcile.ts'

const one = (start: number, end?: number, severity = 3): Occurrence => ({
  start,
  severity,
  maxSeverity: severity,
  raises: 1,
  ...(end !== undefined && { end }),
})
const withdrawn = (start: number): Stored => ({ ...one(start, start), isWithdrawn: true })
const now = { now: 10_000, lateNotifyMs: 1_000 }

type Case = [title: string, stored: Stored[], replayed: Occurrence[], expected: Correction[]]
const cases: Case[] = [
  ['nothing on both sides', [], [], []],
  ['the same on both sides', [one(1, 2), one(3)], [one(1, 2), one(3)], []],
  [
    'came and went unnoticed long ago',
    [],
    [one(1, 8_999)],
    [{ kind: 'late', occurrence: one(1, 8_999), announce: false }],
  ],
  [
    'came and went unnoticed a moment ago',
    [],
    [one(1, 9_000)],
    [{ kind: 'late', occurrence: one(1, 9_000), announce: true }],
  ],
  ['still holds, unnoticed', [], [one(1)], [{ kind: 'raise', occurrence: one(1) }]],
  ['another end', [one(1, 5)], [one(1, 4)], [{ kind: 'end', start: 1, end: 4 }]],
  ['an end where none was', [one(1)], [one(1, 4)], [{ kind: 'end', start: 1, end: 4 }]],
  ['no end where one was', [one(1, 5)], [one(1)], [{ kind: 'end', start: 1 }]],
  ['none', [one(1, 5)], [], [{ kind: 'withdraw', start: 1 }]],
  ['none, withdrawn already', [withdrawn(1)], [], []],
  ['brought back', [withdrawn(1)], [one(1, 9)], [{ kind: 'restore', start: 1, end: 9 }]],
  ['brought back and open', [withdrawn(1)], [one(1)], [{ kind: 'restore', start: 1 }]],
  [
    'another severity',
    [one(1, 5)],
    [one(1, 5, 6)],
    [{ kind: 'severity', start: 1, severity: 6, maxSeverity: 6 }],
  ],
  [
    'one ends before another begins',
    [one(1, 2), one(5)],
    [one(1)],
    [
      { kind: 'withdraw', start: 5 },
      { kind: 'end', start: 1 },
    ],
  ],
]

test.each(cases)('late values: %s', (_, stored, replayed, expected) => {
  expect(reconcile(stored, replayed, now)).toEqual(expected)
})
