import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { AppError } from './errors.ts'
import * as store from './job-store.ts'
import type { AnyJobKind, RunningJob } from './jobs.ts'
import type { Authorizer, OrgCtx } from './service.ts'

/** Jobs of one service that a process works on at the same moment. */
const atOnce = 3
/** Progress is written no more often. */
const saveEveryMs = 300
/** A sign of life where progress gives none, well within the time that a job is held. */
const aliveEveryMs = 10_000

type RunnerOptions = {
  db: Kysely<unknown>
  service: string
  // oxlint-disable-next-line typescript/no-explicit-any -- each kind knows what its service brings
  kinds: readonly AnyJobKind<any>[]
  deps: unknown
  admit: Authorizer
  now: () => Date
  log: FastifyBaseLogger
}

/** The job was cancelled, or the process stops: neither is a fault. */
class Stopped extends Error {
  override name = 'Stopped'
}

/** Works through the jobs of a service, some at a time, also those that a stopped process left. */
export function createJobRunner(options: RunnerOptions) {
  const { db, service, log } = options
  const stopping = new AbortController()
  const running = new Set<Promise<unknown>>()
  let looking: Promise<void> | undefined

  const look = async () => {
    while (running.size < atOnce && !stopping.signal.aborted) {
      const row = await store.takeJob(db, service)
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
    /** Take what waits, and go on without waiting for it. */
    wake,
    /** Work until nothing waits; answers whether there was work. */
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

async function run(
  row: store.JobRow,
  options: RunnerOptions,
  stopping: AbortSignal,
): Promise<unknown> {
  const { db, kinds, deps, log, service } = options
  const kind = kinds.find(({ name }) => name === row.kind)
  if (!kind) {
    log.error(`job ${row.id}: nobody here does ${row.kind}`)
    return store.endJob(db, row.id, { state: 'ERROR', error: 'This kind of work is not known' })
  }
  const cancelled = new AbortController()
  const signal = AbortSignal.any([stopping, cancelled.signal])
  const steps = stepsOf(row, options, { cancelled, signal })
  const alive = setInterval(() => void steps.save().catch(() => undefined), aliveEveryMs) // tried again
  try {
    const input: unknown = kind.input.parse(row.input)
    const ctx = () => contextOf(row, options, signal)
    const { id, organization, caller } = row
    const { each, progress } = steps
    const job: RunningJob = {
      id: String(id),
      input,
      organization,
      caller,
      signal,
      ctx,
      each,
      progress,
    }
    const result = await kind.run(job, deps)
    await steps.save()
    await store.endJob(db, row.id, { state: 'DONE', result })
  } catch (error) {
    await steps.save()
    if (cancelled.signal.aborted) return await store.endJob(db, row.id, { state: 'CANCELLED' })
    if (stopping.aborted) return await store.releaseJob(db, row.id)
    if (!(error instanceof AppError)) log.error(error, `${service} job ${row.id} failed`)
    await store.endJob(db, row.id, { state: 'ERROR', error: reasonOf(error).message })
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

type Signals = { cancelled: AbortController; signal: AbortSignal }

/** The parts of a running job that count. */
function stepsOf(row: store.JobRow, options: RunnerOptions, { cancelled, signal }: Signals) {
  const { db, log } = options
  let { done, total } = row
  let failures: store.Failed[] = []
  let savedAt = 0
  const save = async () => {
    savedAt = Date.now()
    const news = failures
    failures = []
    if (await store.saveProgress(db, row.id, { done, total, failures: news })) cancelled.abort()
  }
  const goOn = () => {
    if (signal.aborted) throw new Stopped()
  }
  const now = async () => {
    if (Date.now() - savedAt >= saveEveryMs) await save()
    goOn()
  }
  const each: RunningJob['each'] = async (items, work, labelOf = String) => {
    const all = (row.items ?? (await itemsOf(items))) as Parameters<typeof work>[0][]
    if (!row.items) await store.saveItems(db, row.id, all)
    total = all.length
    for (const item of all.slice(done)) {
      await now()
      try {
        const ctx = await contextOf(row, options, signal)
        if (!ctx)
          throw new AppError(403, 'job.not_allowed', {
            message: 'Who asked may not be here any more',
          })
        await pastDeadlocks(() => work(item, ctx))
      } catch (error) {
        goOn()
        if (!(error instanceof AppError)) log.error(error, `a step of job ${row.id} failed`)
        failures.push({ item, label: labelOf(item), ...reasonOf(error) })
      }
      done += 1
    }
  }
  const progress = async (nowDone: number, ofAll: number) => {
    done = nowDone
    total = ofAll
    await now()
  }
  return { each, progress, save }
}

/** Of two that wait for each other the database ends one, and nothing of it is kept: it goes once more. */
async function pastDeadlocks(step: () => Promise<void>, tries = 5): Promise<void> {
  try {
    await step()
  } catch (error) {
    if (tries <= 1 || (error as { code?: unknown }).code !== '40P01') throw error
    await pastDeadlocks(step, tries - 1)
  }
}

const itemsOf = async <T>(items: readonly T[] | (() => Promise<readonly T[]>)) =>
  typeof items === 'function' ? items() : items

/** The call as if the person who asked made it now, with the rights they have now. */
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
