import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Compare, compareBand, compareWith } from './compare.ts'
import type { Limit } from './rule.ts'
import { above, below, type Stays, staysWith, staysWithBand } from './stays.ts'

const number = fc.oneof(
  fc.integer({ min: -3, max: 3 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, Number.MIN_VALUE, Number.MAX_VALUE, -Number.MAX_VALUE),
)
const band = fc.tuple(number, number).map((ends): [number, number] => {
  const [low = 0, high = 0] = ends.toSorted((one, other) => one - other)
  return [low, high]
})

/** True when a comparison is known for a value, and then stays as it is in the whole range and nowhere beside it. */
function expectExact(compare: Compare, stays: Stays, value: number) {
  for (const isTrue of [true, false]) {
    if (compare(value, null, isTrue) !== isTrue) continue
    const [low, high] = stays(value, isTrue)
    for (const within of [low, high, value]) expect(compare(within, null, isTrue)).toBe(isTrue)
    expect(value >= low && value <= high).toBe(true)
    for (const beside of [below(low), above(high)]) {
      if (Number.isFinite(beside)) expect(compare(beside, null, isTrue)).toBe(!isTrue)
    }
  }
}

test('a comparison stays in its range, and changes right beside it', () => {
  const op = fc.constantFrom('>', '>=', '<', '<=', '==', '!=' as const)
  fc.assert(
    fc.property(
      op,
      number,
      fc.option(number, { nil: undefined }),
      number,
      (by, limit, clear, v) => {
        const stays = staysWith(by, limit, clear)
        if (!stays) throw new Error('a number has a range')
        for (const value of [v, limit, clear ?? limit, above(limit), below(limit)]) {
          if (Number.isFinite(value)) expectExact(compareWith(by, limit, clear), stays, value)
        }
      },
    ),
    { numRuns: 2_000 },
  )
})

test('a comparison with a band stays in its range, with open ends too', () => {
  const bandsAndValue = fc.record({
    enter: band,
    leave: band,
    open: fc.record({ openLow: fc.boolean(), openHigh: fc.boolean() }),
    isInside: fc.boolean(),
    v: number,
  })
  fc.assert(
    fc.property(bandsAndValue, ({ enter: [low, high], leave, open, isInside, v }) => {
      const bands = [
        // A band that no number is in has no side.
        { low, high, ...(above(low) <= below(high) && open) },
        { low: leave[0], high: leave[1] },
      ] as const
      for (const value of [v, low, high, ...leave]) {
        expectExact(compareBand(...bands, isInside), staysWithBand(...bands), value)
        const by = isInside ? 'inside' : 'outside'
        const stays = staysWith(by, [low, high] as Limit, leave)
        if (stays) expectExact(compareWith(by, [low, high] as Limit, leave), stays, value)
      }
    }),
    { numRuns: 2_000 },
  )
})

test('a text and a number differ whatever the number is, and a text has no order', () => {
  expect(staysWith('==', 'on', undefined)?.(3, false)).toEqual([
    -Number.MAX_VALUE,
    Number.MAX_VALUE,
  ])
  expect(staysWith('>', 'on', undefined)).toBeUndefined()
  expect(staysWith('contains', 'on', undefined)).toBeUndefined()
})
