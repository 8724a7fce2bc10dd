/** A stretch in which a state holds. `label` is undefined where several short ones lie. */
export type Stretch = { from: number; to: number; label: string | undefined; state: number }

type States = {
  times: ArrayLike<number>
  /** Numbers of states; null is a gap. */
  values: ArrayLike<number | null>
  states?: readonly string[]
}

/**
 * The stretches of equal state in the window, each at least `least` ms long: shorter ones in a row
 * become one without a label. The last state holds until `until`.
 */
export function stretchesOf(
  { times, values, states = [] }: States,
  { from, to }: { from: number; to: number },
  { least, until = to }: { least: number; until?: number },
): Stretch[] {
  const whole: Stretch[] = []
  for (let index = 0; index < times.length; index++) {
    const state = values[index] ?? undefined
    const start = Math.max(from, times[index] ?? 0)
    const end = Math.min(to, times[index + 1] ?? Math.min(to, until))
    if (state === undefined || end <= start) continue
    lengthen(whole, { from: start, to: end, label: states[state] ?? String(state), state })
  }
  return joinedShort(whole, least)
}

function lengthen(whole: Stretch[], next: Stretch) {
  const before = whole.at(-1)
  if (before && before.state === next.state && before.to >= next.from) before.to = next.to
  else whole.push(next)
}

function joinedShort(whole: readonly Stretch[], least: number) {
  const joined: Stretch[] = []
  for (const one of whole) {
    const before = joined.at(-1)
    const isShort = one.to - one.from < least
    const beforeIsShort = before?.label === undefined || before.to - before.from < least
    if (before && isShort && beforeIsShort && one.from - before.to < least) {
      before.to = one.to
      before.label = undefined
    } else joined.push({ ...one })
  }
  return joined
}
