import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import { announceAfterCommit } from './publishing-dialect.ts'
import type { Contract } from './contract.ts'
import { AppError } from './errors.ts'
import type { Job } from './job-contract.ts'
import * as store from './job-store.ts'
import type { Deps, Needs, OrgCtx } from './service.ts'

/** Items that are processed in batches of a given size. */
export type Batch<T> = {
  size: number
  /** Returns the failed items; when it throws, each item is run alone. */
  run: (items: readonly T[], ctx: OrgCtx) => Promise<{ item: T; error: unknown }[]>
  labelOf?: (item: T) => string
}

/** Running job. Each step runs at least once: after a crash the interrupted step is repeated. */
export type RunningJob<I = unknown> = {
  id: string
  input: I
  /** resourceId of the organization in which the job was started. */
  organization: string
  caller: OrgCtx['caller']
  /** Aborts when the job is cancelled or the process stops. */
  signal: AbortSignal
  /**
   * Context of the person who started it, with present rights; undefined when they have no access
   * any more.
   */
  ctx: () => Promise<OrgCtx | undefined>
  /**
   * Runs each item (JSON values; a function that returns them is called once and its result
   * stored). An `AppError` counts as a failure of the item; the others continue. Once for a job.
   */
  each: <T>(
    items: readonly T[] | (() => Promise<readonly T[]>),
    run: (item: T, ctx: OrgCtx) => Promise<void>,
    labelOf?: (item: T) => string,
  ) => Promise<void>
  /** Runs items in batches, in place of `each`. Once for a job. */
  eachBatch: <T>(
    items: readonly T[] | (() => Promise<readonly T[]>),
    batch: Batch<T>,
  ) => Promise<void>
  /** Reports progress of work without items: done of total (0: unknown). */
  progress: (done: number, total: number) => Promise<void>
}

type JobKind<D, I = unknown> = {
  /** Kebab-case name; the portal translates it. */
  name: string
  input: z.ZodType<I>
  /**
   * Its return value (JSON) is the job's result. A thrown `AppError` ends the job with its message.
   */
  run: (job: RunningJob<I>, deps: D) => Promise<unknown>
}

// oxlint-disable-next-line typescript/no-explicit-any -- kinds of different inputs stand in one list
export type AnyJobKind<D> = JobKind<D, any>

/** Defines a kind of job. A service lists its kinds as `jobs`. */
export const jobKind = <D, I>(kind: JobKind<D, I>) => kind

type Asked<D, I> = {
  kind: JobKind<D, I>
  input: I
  /** Name of the service whose `jobs` contain the kind. */
  service: string
  /** Description that the person sees. */
  label: string
}

/** Writes a job in the caller's transaction; returns its id. */
export async function startJob<D, I>(
  tx: QueryExecutorProvider,
  { caller, subtree, organization }: OrgCtx,
  { kind, input, service, label }: Asked<D, I>,
) {
  const job = { service, kind: kind.name, label: label.slice(0, 200), subtree, caller, input }
  const id = await store.insertJob(tx, { ...job, organization: organization.resourceId })
  await announceAfterCommit(tx, store.jobWaiting)
  return String(id)
}

const wire = (row: store.JobRow): z.input<typeof Job> => ({
  id: String(row.id),
  kind: row.kind,
  label: row.label,
  state: row.state,
  total: row.total,
  done: row.done,
  failed: row.failed,
  error: row.error,
  errorCode: row.error_code,
  result: row.result ?? null,
  createdAt: row.created_at,
  updatedAt: row.updated_at,
})

/** Job of the person in this organization; undefined when it is another person's. */
export async function jobOf(
  db: QueryExecutorProvider,
  ctx: OrgCtx,
  { service, id }: { service: string; id: string },
) {
  const row = await store.jobRow(db, id, askingOf(ctx, service))
  return row && { ...wire(row), input: row.input }
}

const askingOf = ({ caller, organization }: OrgCtx, service: string) => ({
  service,
  organization: organization.resourceId,
  sub: caller.sub,
  apiKey: caller.apiKey?.id ?? null,
})

type Named = { params: { jobId: string } }

/** Handlers of `jobEndpoints`. */
export function jobHandlers<DB, N extends Needs>(
  { db }: Deps<DB, N>,
  { service }: Pick<Contract, 'service'>,
) {
  const mustHave = async (ctx: OrgCtx, { params }: Named) => {
    const row = await store.jobRow(db, params.jobId, askingOf(ctx, service))
    if (!row)
      throw new AppError(404, 'job.not_found', {
        message: 'This job does not exist, or it is not yours.',
      })
    return row
  }
  return {
    jobs: async (_input: object, ctx: OrgCtx) => ({
      data: (await store.jobsOf(db, askingOf(ctx, service))).map(wire),
    }),
    job: async (input: Named, ctx: OrgCtx) => wire(await mustHave(ctx, input)),
    jobFailures: async (input: Named, ctx: OrgCtx) => ({
      data: await store.failuresOf(db, (await mustHave(ctx, input)).id),
    }),
    cancelJob: async (input: Named, ctx: OrgCtx) => {
      await store.cancelJob(db, (await mustHave(ctx, input)).id)
      return wire(await mustHave(ctx, input))
    },
    retryJob: async (input: Named, ctx: OrgCtx) => {
      const { id } = await mustHave(ctx, input)
      if (!(await db.transaction().execute((tx) => store.retryJob(tx, id)))) {
        const message = 'This job has no failed steps, or it is still running.'
        throw new AppError(409, 'job.nothing_to_retry', { message })
      }
      await announceAfterCommit(db, store.jobWaiting)
      return wire(await mustHave(ctx, input))
    },
  }
}
