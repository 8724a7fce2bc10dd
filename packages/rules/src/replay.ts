import { applyInput } from './apply.ts'
import type { Change } from './change.ts'
import type { CompiledRule } from './compiled.ts'
import type { Given, Input } from './input.ts'
import type { Misses } from './misses.ts'
import { type Moment, newInstance } from './state.ts'
import { momentOf, workOf } from './step.ts'
import type { TruthTrace } from './truth-trace.ts'
import { nextDue, runTimers } from './timers.ts'

/** Values in order of time as columns: time, index of the input, value, quality (absent: good). */
export type Page = {
  t: ArrayLike<number>
  input: ArrayLike<number>
  v: ArrayLike<unknown>
  q?: ArrayLike<number>
}

/** Replay that is under way. */
type Replay = {
  /** Judges a page; values of one time at its end wait for the next page. */
  take: (page: Page) => void
  /** Judges one input, as an arrival or a time in which nobody listened. */
  takeInput: (input: Input) => void
  /** Judges what waits, and the time until `until`; then no more is taken. */
  finish: (until: number) => { changes: Change[]; moment: Moment }
}

type Asked = { from?: Moment; misses?: Misses; trace?: TruthTrace }

/** Starts a replay, by default without values before its first; a trial collects misses and states. */
export function startReplay(
  rule: CompiledRule,
  { from = newInstance(rule), misses, trace }: Asked = {},
): Replay {
  const work = workOf(rule, from)
  if (misses) work.misses = misses
  if (trace) work.trace = trace
  let waiting: Given[] = []
  let at = 0
  const judgeWaiting = () => {
    if (waiting.length > 0) applyInput(work, { t: at, values: waiting })
    waiting = []
  }
  const add = (t: number, given: Given) => {
    if (t !== at) judgeWaiting()
    at = t
    // Of two values of one path at one time the later counts.
    const same = waiting.findIndex(([input]) => input === given[0])
    if (same === -1) waiting.push(given)
    else waiting[same] = given
  }
  return {
    take({ t, input, v, q }) {
      for (let row = 0; row < t.length; row += 1) {
        const time = t[row] ?? 0
        const given: Given = [input[row] ?? 0, v[row], q?.[row] ?? 0]
        const isAlone = time !== at && row + 1 < t.length && t[row + 1] !== time
        if (!isAlone) add(time, given)
        else {
          judgeWaiting()
          at = time
          applyInput(work, { t: time, values: [given] })
        }
      }
    },
    takeInput(input) {
      if (input.values.length === 0) {
        judgeWaiting()
        applyInput(work, input)
      } else for (const given of input.values) add(input.t, given)
    },
    finish(until) {
      judgeWaiting()
      work.due = nextDue(work)
      runTimers(work, until)
      return { changes: work.changes, moment: momentOf(work) }
    },
  }
}

/** Changes of an alarm over pages in order of time, until a time. */
export function replay(rule: CompiledRule, pages: Iterable<Page>, until: number): Change[] {
  const run = startReplay(rule)
  for (const page of pages) run.take(page)
  return run.finish(until).changes
}
