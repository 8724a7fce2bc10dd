/** Digits of orders, in the order of their characters. */
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const base = digits.length

/** Comparison of two nodes by their order, and by their id where two editors gave the same. */
export const compareOrder = (
  one: { order: string; id: string },
  other: { order: string; id: string },
) => compareText(one.order, other.order) || compareText(one.id, other.id)

const compareText = (one: string, other: string) => (one < other ? -1 : one > other ? 1 : 0)

/**
 * Order between two others, as a fraction written in 62 digits; undefined is the begin or the end. Two
 * that are equal, or the wrong way round, count as if there was no upper one.
 */
export function orderBetween(lower: string | undefined, upper: string | undefined): string {
  const low = lower ?? ''
  const high = upper !== undefined && upper > low ? upper : undefined
  let made = ''
  let isBelow = high !== undefined
  for (let place = 0; ; place += 1) {
    const from = digitAt(low, place, 0)
    const to = isBelow && high !== undefined ? digitAt(high, place, 0) : base
    if (to - from > 1) return made + digits.charAt(from + Math.floor((to - from) / 2))
    made += digits.charAt(from)
    // Behind a smaller digit anything is below the upper one.
    if (to > from) isBelow = false
  }
}

const digitAt = (order: string, place: number, otherwise: number) =>
  place < order.length ? Math.max(0, digits.indexOf(order.charAt(place))) : otherwise

/** `count` orders between two others, in even steps, as short as their number allows. */
export function ordersBetween(
  lower: string | undefined,
  upper: string | undefined,
  count: number,
): string[] {
  if (count <= 0) return []
  const middle = orderBetween(lower, upper)
  const before = Math.floor((count - 1) / 2)
  return [
    ...ordersBetween(lower, middle, before),
    middle,
    ...ordersBetween(middle, upper, count - 1 - before),
  ]
}
