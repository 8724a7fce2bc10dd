import { setTimeout } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { Cut, Series, TelemetryStore } from '@longreach/telemetry/store'
import type { Directory } from '../devices/device-directory.ts'
import { cutTime, daysOfLimit, keepDaysOf, type Rule, shorter } from './retention-rules.ts'
import { everyRule, lockRun, type RetentionDb, type RuleRow, saveRun } from './retention-store.ts'

/** Old values are looked for so often. */
const everyMs = 6 * 3_600_000
const tickMs = 60_000
const pauseMs = 100
/** Series of one step, and of one transaction of it. */
const seriesAtOnce = 500
const cutsAtOnce = 50

type RetentionDeps = {
  db: Kysely<RetentionDb>
  telemetry: () => Promise<TelemetryStore>
  directory: Pick<Directory, 'get'>
  now: () => Date
  log: Pick<FastifyBaseLogger, 'error' | 'info'>
}

export const ruleOf = ({ organization, model, path, keep_days }: RuleRow): Rule => ({
  organization,
  model,
  path,
  keepDays: keep_days,
})

/** Dependencies of the calls about storage. */
export type StorageDeps = Omit<RetentionDeps, 'log' | 'directory'> & { directory: Directory }

type Known = Pick<RetentionDeps, 'directory'> & { rules: readonly Rule[]; now: number }

/** Times before which values of these series are deleted, by the rules and by their presets. */
export async function cutsOf(series: readonly Series[], { rules, directory, now }: Known) {
  const cuts: Cut[] = []
  for (const { id, org, device, path } of series) {
    const leaf = (await directory.get(device))?.byPath.get(path)?.leaf
    const keepDays = shorter(keepDaysOf(rules, org, path), daysOfLimit(leaf?.historyLimit))
    if (keepDays !== undefined) cuts.push({ series: id, before: cutTime(keepDays, now) })
  }
  return cuts
}

type Step = 'more' | 'done' | 'idle'

/** Some series further. One process at a time works, and a killed one's work is taken up where it was. */
export async function retentionStep(deps: RetentionDeps, stop?: AbortSignal): Promise<Step> {
  const now = deps.now()
  const telemetry = await deps.telemetry()
  return deps.db.transaction().execute(async (tx): Promise<Step> => {
    const run = await lockRun(tx)
    if (!run || !isDue(run, now)) return 'idle'
    const rules = (await everyRule(tx)).map(ruleOf)
    const series = await telemetry.listSeries(run.after_series, seriesAtOnce)
    const known = { rules, directory: deps.directory, now: now.getTime() }
    const gone = await expire(telemetry, await cutsOf(series, known), stop)
    if (stop?.aborted) return 'idle' // what went is gone; the step is done again
    const values = run.values_so_far + gone.values
    const bytes = run.bytes_so_far + gone.bytes
    const last = series.at(-1)
    if (last && series.length === seriesAtOnce) {
      const so_far = { values_so_far: values, bytes_so_far: bytes }
      await saveRun(tx, { after_series: last.id, started_at: run.started_at ?? now, ...so_far })
      return 'more'
    }
    if (bytes > 0) await telemetry.reclaim()
    const sums = { values_gone: run.values_gone + values, bytes_gone: run.bytes_gone + bytes }
    const fresh = { after_series: 0, started_at: null, values_so_far: 0, bytes_so_far: 0 }
    await saveRun(tx, { ...fresh, ...sums, finished_at: now })
    if (values > 0) deps.log.info({ values, bytes }, 'old values were taken away')
    return 'done'
  })
}

async function expire(telemetry: TelemetryStore, cuts: readonly Cut[], stop?: AbortSignal) {
  const total = { values: 0, bytes: 0 }
  for (let at = 0; at < cuts.length && !stop?.aborted; at += cutsAtOnce) {
    const gone = await telemetry.expire(cuts.slice(at, at + cutsAtOnce))
    total.values += gone.values
    total.bytes += gone.bytes
  }
  return total
}

const isDue = (
  run: { started_at: Date | null; after_series: number; finished_at: Date | null },
  now: Date,
) =>
  run.after_series > 0 ||
  run.finished_at === null ||
  now.getTime() - run.finished_at.getTime() >= everyMs

/** Look for old values from time to time. */
export function startRetention(deps: RetentionDeps) {
  const stop = new AbortController()
  let working: Promise<void> | undefined
  const work = async () => {
    let step: Step = 'more'
    while (step === 'more' && !stop.signal.aborted) {
      step = await retentionStep(deps, stop.signal)
      // Calls and values go first: with very many series a run may take minutes.
      await setTimeout(pauseMs, undefined, { ref: false })
    }
  }
  const tick = () => {
    working ??= work()
      .catch((error: unknown) => deps.log.error(error, 'old values could not be taken away'))
      .finally(() => (working = undefined))
  }
  const timer = setInterval(tick, tickMs)
  timer.unref()
  return {
    async close() {
      clearInterval(timer)
      stop.abort()
      await working
    },
  }
}
