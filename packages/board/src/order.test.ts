import fc from 'fast-check'
import { expect, it } from 'vitest'
import { boardLimits } from './limits.ts'
import { orderBetween, ordersBetween } from './order.ts'

const order = fc.stringMatching(/^[0-9A-Za-z]{0,6}[1-9A-Za-z]$/)
const form = /^[0-9A-Za-z]*[1-9A-Za-z]$/

it('an order lies between two others', () => {
  fc.assert(
    fc.property(
      fc.option(order, { nil: undefined }),
      fc.option(order, { nil: undefined }),
      (a, b) => {
        const [lower, upper] = a !== undefined && b !== undefined && b < a ? [b, a] : [a, b]
        const made = orderBetween(lower, upper)
        expect(made).toMatch(form)
        expect(made > (lower ?? '')).toBe(true)
        if (upper !== undefined && upper !== lower) expect(made < upper).toBe(true)
      },
    ),
  )
})

it('many orders are in their order and short', () => {
  const made = ordersBetween('V', 'W', 5_000)
  expect(made.toSorted()).toEqual(made)
  expect(new Set(made).size).toBe(5_000)
  expect(Math.max(...made.map(({ length }) => length))).toBeLessThanOrEqual(5)
})

it('a hundred nodes can be put in front of the first one by one', () => {
  let first: string | undefined
  for (let count = 0; count < 100; count += 1) first = orderBetween(undefined, first)
  expect(first?.length).toBeLessThan(boardLimits.order)
})
