import type { TelemetryStore } from '@longreach/telemetry/store'
import { countStored } from '../exports/export-slices.ts'
import { tooLarge } from './query-answered.ts'
import type { Plan } from './query-plan.ts'
import { findSources, mostSeries, type Source } from './query-source.ts'

/** Values that one answer may have, and that it may be made from while somebody waits. */
const mostValues = 20_000_000
/** Long before any machine; ms since 1970. */
const earliest = -1e13
/** From so many on an answer takes a turn: each person has two at once. */
const dearFrom = 200_000
const turnsOfPerson = 2

/** About how many values a question reads, by what is stored; refused when it is too many. */
export async function valuesOf(
  telemetry: TelemetryStore,
  sources: readonly Source[],
  plan: Plan,
  signal: AbortSignal,
): Promise<number> {
  if (plan.action !== 'FETCH') return 0
  const found = await findSources(telemetry, sources)
  if (!found) throw tooLarge('sources', `over ${mostSeries} paths; name fewer devices or paths`)
  const steps = plan.grid?.steps.starts.length ?? (plan.pixels ? plan.pixels.size * 2 : undefined)
  const most = Math.min(plan.limit ?? Infinity, steps ?? Infinity)
  if (found.length * most <= dearFrom) return found.length * most
  const ids = found.filter(({ past }) => past).map(({ series }) => series.id)
  const counts = await countStored(
    { telemetry, ids, signal },
    { since: Math.max(plan.since, earliest), to: plan.to },
  )
  const values = counts.reduce((sum, count) => sum + Math.min(count, most), 0)
  if (values <= mostValues) return values
  throw tooLarge(
    'sources',
    `about ${values} values; take fewer paths, a shorter range or longer steps, or write an export`,
  )
}

/** Turns of people whose questions are dear: who has two under way waits with the third. */
export function createTurns() {
  const people = new Map<string, { taken: number; waiting: (() => void)[] }>()
  return {
    /** Resolves to the function that ends the turn; rejects when `signal` ends the waiting. */
    async take(person: string, values: number, signal: AbortSignal): Promise<() => void> {
      if (values < dearFrom) return () => undefined
      const own = people.get(person) ?? { taken: 0, waiting: [] }
      people.set(person, own)
      if (own.taken >= turnsOfPerson) await waitIn(own.waiting, signal)
      else own.taken += 1
      let isOver = false
      return () => {
        if (isOver) return
        isOver = true
        // The turn goes to the next of this person, or nobody has it.
        const next = own.waiting.shift()
        if (next) return next()
        own.taken -= 1
        if (own.taken === 0) people.delete(person)
      }
    },
  }
}
export type Turns = ReturnType<typeof createTurns>

function waitIn(line: (() => void)[], signal: AbortSignal) {
  return new Promise<void>((resolve, reject) => {
    const turn = () => {
      signal.removeEventListener('abort', leave)
      resolve()
    }
    const leave = () => {
      line.splice(line.indexOf(turn), 1)
      reject(signal.reason as Error)
    }
    if (signal.aborted) return reject(signal.reason as Error)
    signal.addEventListener('abort', leave, { once: true })
    line.push(turn)
  })
}
