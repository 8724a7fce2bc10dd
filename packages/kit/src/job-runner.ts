import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { AppError } from './errors.ts'
import type { EventLoop } from './event-loops.ts'
import type { OwnProcess } from './own-process.ts'
import * as store from './job-store.ts'
import type { AnyJobKind, Batch, RunningJob } from './jobs.ts'
import type { Authorizer, OrgCtx } from './service.ts'

/** Jobs of one service that a process runs at the same time. */
const atOnce = 3
/** Shortest time between two writes of the progress. */
const saveEveryMs = 300
/** Interval of heartbeats when there is no progress; well below the time that a job is held. */
const aliveEveryMs = 10_000

type RunnerOptions = {
  db: Kysely<unknown>
  service: string
  kinds: readonly AnyJobKind<undefined>[]
  admit: Authorizer
  now: () => Date
  log: FastifyBaseLogger
  holder: OwnProcess
}

/**
 * End of a run without a fault: the job was cancelled, is held by another process, or this process
 * stops.
 */
class Stopped extends Error {
  override name = 'Stopped'
}

/** Runs the jobs of a service, several at a time, including those of a stopped process. */
export function createJobRunner(options: RunnerOptions) {
  const { db, service, log, holder } = options
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  let looking: Promise<void> | undefined

  const look = async () => {
    await holder.hold()
    while (running.size < atOnce && !stopping.signal.aborted) {
      const row = await store.takeJob(db, service, holder.number)
      if (!row) return
      const work: Promise<unknown> = run(row, options, stopping.signal)
        .catch((error: unknown) => log.error(error, `job ${row.id} could not be ended`))
        .finally(() => running.delete(work))
      running.add(work)
    }
  }
  const wake = async () => {
    looking ??= look()
      .catch((error: unknown) => log.error(error, 'jobs could not be taken'))
      .finally(() => (looking = undefined))
    await looking
  }
  return {
    /** Starts waiting jobs and returns at once. */
    wake,
    /** Runs until no job waits; returns whether there was one. */
    async settle() {
      let worked = false
      for (;;) {
        await wake()
        if (running.size === 0) return worked
        worked = true
        await Promise.all(running)
      }
    },
    async close() {
      stopping.abort()
      await looking
      await Promise.all(running)
    },
  }
}
export type JobRunner = ReturnType<typeof createJobRunner>

/**
 * Loop that looks for jobs when one is announced, and when the check of each second finds one of an ended process. Other
 * events are none of its work: every process would ask after each.
 */
export const jobLoop = (runner: Pick<JobRunner, 'wake'>): EventLoop => ({
  name: 'jobs',
  topics: new Set([store.jobWaiting]),
  takesJobs: true,
  work: () => runner.wake(),
})

async function run(
  row: store.JobRow,
  options: RunnerOptions,
  stopping: AbortSignal,
): Promise<unknown> {
  const { db, kinds, log, service } = options
  const held = { id: row.id, holder: options.holder.number }
  const kind = kinds.find(({ name }) => name === row.kind)
  if (!kind) {
    log.error(`job ${row.id}: nobody here does ${row.kind}`)
    const error = { code: 'job.unknown_kind', message: 'This kind of work is not known' }
    return store.endJob(db, held, { state: 'ERROR', error })
  }
  const [cancelled, lost] = [new AbortController(), new AbortController()]
  const signal = AbortSignal.any([stopping, cancelled.signal, lost.signal])
  const steps = stepsOf(row, options, { held, cancelled, lost, signal })
  const alive = setInterval(() => void steps.save().catch(() => undefined), aliveEveryMs) // tried again
  try {
    const input: unknown = kind.input.parse(row.input)
    const ctx = () => contextOf(row, options, signal)
    const { id, organization, caller } = row
    const { each, eachBatch, progress } = steps
    const about = { id: String(id), input, organization, caller }
    const job: RunningJob = { ...about, signal, ctx, each, eachBatch, progress }
    const result = await kind.run(job, undefined)
    await steps.save()
    await store.endJob(db, held, { state: 'DONE', result })
  } catch (error) {
    await steps.save()
    if (lost.signal.aborted) return log.info(`job ${row.id} is done by another process`)
    if (cancelled.signal.aborted) return await store.endJob(db, held, { state: 'CANCELLED' })
    if (stopping.aborted) return await store.releaseJob(db, held)
    if (!(error instanceof AppError)) log.error(error, `${service} job ${row.id} failed`)
    await store.endJob(db, held, { state: 'ERROR', error: reasonOf(error) })
  } finally {
    clearInterval(alive)
  }
}

function reasonOf(error: unknown) {
  if (!(error instanceof AppError)) {
    return { code: 'internal', message: 'Something went wrong on the server' }
  }
  const { message } = error.details
  return { code: error.code, message: typeof message === 'string' ? message : error.code }
}

type Held = {
  held: store.Held
  cancelled: AbortController
  lost: AbortController
  signal: AbortSignal
}

/** Functions of a running job that count its steps. */
function stepsOf(
  row: store.JobRow,
  options: RunnerOptions,
  { held, cancelled, lost, signal }: Held,
) {
  const { db, log } = options
  let { done, total } = row
  let failures: store.Failed[] = []
  let savedAt = 0
  const save = async () => {
    savedAt = Date.now()
    const news = failures
    failures = []
    const state = await store.saveProgress(db, held, { done, total, failures: news })
    if (state === 'cancelled') cancelled.abort()
    if (state === 'lost') lost.abort()
  }
  const goOn = () => {
    if (signal.aborted) throw new Stopped()
  }
  const now = async () => {
    if (Date.now() - savedAt >= saveEveryMs) await save()
    goOn()
  }
  const failed = (error: unknown) => {
    goOn()
    if (!(error instanceof AppError)) log.error(error, `a step of job ${row.id} failed`)
    return reasonOf(error)
  }
  const eachBatch: RunningJob['eachBatch'] = async (items, { size, run, labelOf = String }) => {
    const all = (row.items ?? (await itemsOf(items))) as Parameters<typeof run>[0][number][]
    if (!row.items) await store.saveItems(db, held, all)
    total = all.length
    while (done < all.length) {
      await now()
      const part = all.slice(done, done + size)
      const ctx = () => mustBeHere(row, options, signal)
      const missed = await inParts(
        part,
        async (some) => pastDeadlocks(async () => run(some, await ctx())),
        goOn,
      )
      for (const { item, error } of missed) {
        failures.push({ item, label: labelOf(item), ...failed(error) })
      }
      done += part.length
    }
  }
  const each: RunningJob['each'] = (items, work, labelOf) =>
    eachBatch(items, {
      size: 1,
      run: async (some, ctx) => {
        for (const item of some) await work(item, ctx)
        return []
      },
      ...(labelOf && { labelOf }),
    })
  const progress = async (nowDone: number, ofAll: number) => {
    done = nowDone
    total = ofAll
    await now()
  }
  return { each, eachBatch, progress, save }
}

type Missed<T> = Awaited<ReturnType<Batch<T>['run']>>

/**
 * Runs a batch; when it fails as a whole, runs it item by item, so that one bad item does not fail
 * the others.
 */
async function inParts<T>(
  items: readonly T[],
  run: (items: readonly T[]) => Promise<Missed<T>>,
  goOn: () => void,
): Promise<Missed<T>> {
  try {
    return await run(items)
  } catch (error) {
    const [only] = items
    if (items.length === 1 && only !== undefined) return [{ item: only, error }]
  }
  const missed: Missed<T>[] = []
  for (const item of items) {
    goOn()
    missed.push(await inParts([item], run, goOn))
  }
  return missed.flat()
}

async function mustBeHere(row: store.JobRow, options: RunnerOptions, signal: AbortSignal) {
  const ctx = await contextOf(row, options, signal)
  if (ctx) return ctx
  const message = 'Who asked may not be here any more'
  throw new AppError(403, 'job.not_allowed', { message })
}

/** Repeats a step that PostgreSQL ended as a deadlock victim; nothing of it was committed. */
async function pastDeadlocks<T>(step: () => Promise<T>, tries = 5): Promise<T> {
  try {
    return await step()
  } catch (error) {
    if (tries <= 1 || (error as { code?: unknown }).code !== '40P01') throw error
    return pastDeadlocks(step, tries - 1)
  }
}

const itemsOf = async <T>(items: readonly T[] | (() => Promise<readonly T[]>)) =>
  typeof items === 'function' ? items() : items

/** Context of a call by the person who started the job, with their present rights. */
async function contextOf(
  { caller, organization, subtree, kind }: store.JobRow,
  { admit, now, service }: RunnerOptions,
  signal: AbortSignal,
): Promise<OrgCtx | undefined> {
  const admission = await admit(caller, organization)
  if (!admission) return undefined
  const capability =
    subtree && admission.below
      ? (admission.capabilityBelow ?? admission.capability)
      : admission.capability
  const call = { name: `${service}.${kind}`, recorded: false }
  const reaching = subtree && admission.below
  return { ...admission, capability, caller, now: now(), ip: '', signal, call, subtree: reaching }
}
