import type { Held } from './chart-data.ts'

/** A stretch in which a state holds. `label` is undefined where several short ones lie. */
export type Stretch = {
  from: number
  to: number
  label: string | undefined
  state: number
  /** The quality of the state is not good. */
  doubtful?: true
}

type States = {
  times: ArrayLike<number>
  /** Numbers of states; null is a gap. */
  values: ArrayLike<number | null>
  states?: readonly string[]
  grades?: ArrayLike<number>
  held?: Pick<Held, 'value' | 'from' | 'to'>
}

/**
 * The stretches of equal state in the window, each at least `least` ms long: shorter ones in a row
 * become one without a label. The last state holds until `until`.
 */
export function stretchesOf(
  { times, values, states = [], grades, held }: States,
  { from, to }: { from: number; to: number },
  { least, until = to }: { least: number; until?: number },
): Stretch[] {
  const labelOf = (state: number) => states[state] ?? String(state)
  const whole: Stretch[] = heldStretch(held, { from, to: Math.min(to, until) }, labelOf)
  for (let index = 0; index < times.length; index++) {
    const state = values[index] ?? undefined
    const start = Math.max(from, times[index] ?? 0)
    const end = Math.min(to, times[index + 1] ?? Math.min(to, until))
    if (state === undefined || end <= start) continue
    const doubtful = (grades?.[index] ?? 0) > 0
    lengthen(whole, {
      from: start,
      to: end,
      label: labelOf(state),
      state,
      ...(doubtful && { doubtful }),
    })
  }
  return joinedShort(whole, least)
}

function heldStretch(
  held: States['held'],
  window: { from: number; to: number },
  labelOf: (state: number) => string,
): Stretch[] {
  if (!held) return []
  const span = { from: Math.max(window.from, held.from), to: Math.min(held.to, window.to) }
  return span.to > span.from ? [{ ...span, label: labelOf(held.value), state: held.value }] : []
}

function lengthen(whole: Stretch[], next: Stretch) {
  const before = whole.at(-1)
  const alike = before?.state === next.state && before.doubtful === next.doubtful
  if (before && alike && before.to >= next.from) before.to = next.to
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
