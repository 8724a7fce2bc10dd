import { type Kysely, type QueryExecutorProvider, sql } from 'kysely'
import { processIsGoneText } from './own-process.ts'
import type { Caller } from './service.ts'

/** Announced to all processes when a job waits. */
export const jobWaiting = 'job.waiting'

/** Time that a job without progress stays with a living process. */
const heldFor = '30 seconds'

export type JobRow = {
  id: number
  service: string
  kind: string
  label: string
  organization: string
  subtree: boolean
  sub: string
  caller: Caller
  input: unknown
  /** Steps, once they are known; a job that continues skips those that are done. */
  items: unknown[] | null
  state: 'PROCESSING' | 'DONE' | 'ERROR' | 'CANCELLED'
  total: number
  done: number
  failed: number
  error: string | null
  error_code: string | null
  result: unknown
  cancelled: boolean
  created_at: Date
  updated_at: Date
}
export type Failed = { item: unknown; label: string; code: string; message: string }

export async function createJobs(db: QueryExecutorProvider & Pick<Kysely<unknown>, 'transaction'>) {
  await db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(7003)`.execute(tx)
    await sql`create table if not exists bus.job (
      id bigint generated always as identity primary key,
      service text not null, kind text not null, label text not null,
      organization text not null, subtree boolean not null, sub text not null, caller jsonb not null,
      input jsonb not null, items jsonb,
      state text not null default 'PROCESSING',
      total int not null default 0, done int not null default 0, failed int not null default 0,
      error text, result jsonb, cancelled boolean not null default false, held_until timestamptz,
      created_at timestamptz not null default now(), updated_at timestamptz not null default now())`.execute(
      tx,
    )
    await sql`alter table bus.job add column if not exists holder int`.execute(tx)
    await sql`alter table bus.job add column if not exists error_code text`.execute(tx)
    await sql`create index if not exists job_waiting on bus.job (service, id)
      where state = 'PROCESSING'`.execute(tx)
    await sql`create index if not exists job_of on bus.job (organization, sub, id)`.execute(tx)
    await sql`create table if not exists bus.job_failure (
      job bigint not null references bus.job on delete cascade, place int not null,
      item jsonb not null, label text not null, code text not null, message text not null,
      primary key (job, place))`.execute(tx)
  })
}

export type NewJob = Pick<
  JobRow,
  'service' | 'kind' | 'label' | 'organization' | 'subtree' | 'caller' | 'input'
>

export async function insertJob(tx: QueryExecutorProvider, job: NewJob) {
  const { rows } = await sql<{ id: number }>`
    insert into bus.job (service, kind, label, organization, subtree, sub, caller, input)
    values (${job.service}, ${job.kind}, ${job.label}, ${job.organization}, ${job.subtree},
      ${job.caller.sub}, ${JSON.stringify(job.caller)}, ${JSON.stringify(job.input)})
    returning id`.execute(tx)
  return rows[0]?.id ?? 0
}

/** SQL condition as text: nobody works on the job, or the process that held it has ended. */
export const isFreeJob = `state = 'PROCESSING' and (held_until is null or held_until < now()
  or (holder is not null and ${processIsGoneText('holder')}))`

/** Takes the oldest free job for this process. */
export async function takeJob(db: QueryExecutorProvider, service: string, holder: number) {
  const { rows } = await sql<JobRow>`
    update bus.job set holder = ${holder}, held_until = now() + ${heldFor}::interval where id = (
      select id from bus.job where service = ${service} and ${sql.raw(isFreeJob)}
      order by id limit 1 for update skip locked)
    returning *`.execute(db)
  return rows[0]
}

/** Job held by this process. Writes have no effect once another process holds it. */
export type Held = { id: number; holder: number }
const stillHeld = ({ id, holder }: Held) => sql`id = ${id} and holder = ${holder}`

/** Releases the job, so that another process or the next start continues it. */
export const releaseJob = (db: QueryExecutorProvider, held: Held) =>
  sql`update bus.job set held_until = null, holder = null where ${stillHeld(held)}`.execute(db)

export type Progress = { done: number; total: number; failures: readonly Failed[] }

/** Saves progress and new failures; returns whether the job was cancelled or lost. */
export async function saveProgress(
  db: Kysely<unknown>,
  held: Held,
  { done, total, failures }: Progress,
): Promise<'held' | 'cancelled' | 'lost'> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ cancelled: boolean; failed: number }>`
      update bus.job set done = ${done}, total = ${total}, failed = failed + ${failures.length},
        updated_at = now(), held_until = now() + ${heldFor}::interval
      where ${stillHeld(held)} returning cancelled, failed`.execute(tx)
    const job = rows[0]
    // Held by another process, or deleted with its organization or by age.
    if (!job) return 'lost'
    const texts = failures.map(({ item, ...words }, n) =>
      JSON.stringify({ ...words, item, place: job.failed - failures.length + n }),
    )
    await sql`insert into bus.job_failure (job, place, item, label, code, message)
      select ${held.id}, (one ->> 'place')::int, one -> 'item', one ->> 'label', one ->> 'code',
        one ->> 'message' from unnest(${texts}::jsonb[]) as one`.execute(tx)
    return job.cancelled ? 'cancelled' : 'held'
  })
}

export const saveItems = (db: QueryExecutorProvider, held: Held, items: readonly unknown[]) =>
  sql`update bus.job set items = ${JSON.stringify(items)}, total = ${items.length}
    where ${stillHeld(held)}`.execute(db)

type End = {
  state: 'DONE' | 'ERROR' | 'CANCELLED'
  error?: { code: string; message: string }
  result?: unknown
}

export const endJob = (db: QueryExecutorProvider, held: Held, { state, error, result }: End) =>
  sql`update bus.job set state = ${state}, error = ${error?.message ?? null}, error_code = ${error?.code ?? null},
    result = ${result === undefined ? null : JSON.stringify(result)}, held_until = null,
    holder = null, updated_at = now() where ${stillHeld(held)}`.execute(db)

type Asking = { service: string; organization: string; sub: string; apiKey: number | null }

/** SQL condition: jobs started by this person, or by this API key. */
const askedBy = ({ sub, apiKey }: Asking) =>
  sql`sub = ${sub} and (${apiKey}::int is null or (caller -> 'apiKey' ->> 'id')::int = ${apiKey})`

/** Jobs of the person in the organization, newest first. */
export async function jobsOf(db: QueryExecutorProvider, asking: Asking) {
  const { service, organization } = asking
  const { rows } = await sql<JobRow>`
    select * from bus.job where organization = ${organization} and ${askedBy(asking)}
      and service = ${service} order by id desc limit 50`.execute(db)
  return rows
}

export async function jobRow(db: QueryExecutorProvider, id: string, asking: Asking) {
  if (!/^\d{1,15}$/.test(id)) return undefined
  const { rows } = await sql<JobRow>`
    select * from bus.job where id = ${id} and organization = ${asking.organization}
      and ${askedBy(asking)} and service = ${asking.service}`.execute(db)
  return rows[0]
}

export async function failuresOf(db: QueryExecutorProvider, id: number) {
  const { rows } = await sql<Failed>`
    select item, label, code, message from bus.job_failure where job = ${id}
    order by place limit 1000`.execute(db)
  return rows
}

export const cancelJob = (db: QueryExecutorProvider, id: number) =>
  sql`update bus.job set cancelled = true, updated_at = now(),
    state = case when held_until is null then 'CANCELLED' else state end
    where id = ${id} and state = 'PROCESSING'`.execute(db)

/**
 * Makes the failed steps the steps of the job again; returns false when the job runs or nothing
 * failed.
 */
export async function retryJob(tx: QueryExecutorProvider, id: number) {
  const { rows } = await sql<{ id: number }>`
      update bus.job set state = 'PROCESSING', done = 0, failed = 0, total = failed, cancelled = false,
        error = null, error_code = null, held_until = null, holder = null, updated_at = now(),
        items = (select jsonb_agg(item order by place) from bus.job_failure where job = ${id})
      where id = ${id} and state <> 'PROCESSING' and failed > 0 returning id`.execute(tx)
  await sql`delete from bus.job_failure where job = any(${rows.map((row) => row.id)})`.execute(tx)
  return rows.length > 0
}

/** Deletes ended jobs after a week. */
export const cleanupJobs = (db: QueryExecutorProvider) =>
  sql`delete from bus.job where state <> 'PROCESSING'
    and updated_at < now() - interval '7 days'`.execute(db)
