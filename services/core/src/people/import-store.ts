import type { Caller } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import type { PlannedLine } from './import-rules.ts'

type Executor = Kysely<CoreDb>
export type Outcome = 'MADE' | 'JOINED' | 'INVITED' | 'PRESENT' | 'FAILED'
type NewImport = { organizationId: number; caller: Caller; now: Date }

/** A job with its lines; lines that cannot be done are done already. */
export async function insertImport(
  tx: Executor,
  { organizationId, caller, now }: NewImport,
  lines: readonly PlannedLine[],
) {
  const { id } = await tx
    .insertInto('user_import')
    .values({ organization_id: organizationId, caller: JSON.stringify(caller), created_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  const rows = lines.map(({ line, username, outcome, problems: [problem], person }) => ({
    import_id: id,
    line,
    username,
    person: JSON.stringify(person),
    outcome: { ERROR: 'FAILED', PRESENT: 'PRESENT', CREATE: 'WAITING', JOIN: 'WAITING' }[outcome],
    code: problem?.code ?? null,
    problem: problem ? [problem.column, problem.message].filter(Boolean).join(': ') : null,
  }))
  await sql`insert into core.user_import_line
      (import_id, line, username, person, outcome, code, problem)
    select import_id, line, username, person::jsonb, outcome, code, problem
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(
      import_id int, line int, username text, person text, outcome text, code text, problem text)
  `.execute(tx)
  return id
}

const imports = (db: Executor, organizationId: number, sub: string) =>
  db
    .selectFrom('user_import as i')
    .select(['i.id', 'i.created_at as createdAt', 'i.finished_at as finishedAt'])
    .select([
      sql<number>`(select count(*) from core.user_import_line l
        where l.import_id = i.id)`.as('total'),
      sql<number>`(select count(*) from core.user_import_line l
        where l.import_id = i.id and l.outcome <> 'WAITING')`.as('done'),
      sql<number>`(select count(*) from core.user_import_line l
        where l.import_id = i.id and l.outcome = 'FAILED')`.as('failed'),
      sql<number>`(select count(*) from core.user_import_line l
        where l.import_id = i.id and l.link is not null)`.as('links'),
    ])
    .where('i.organization_id', '=', organizationId)
    .where(sql`i.caller ->> 'sub'`, '=', sub)

export const listImports = (db: Executor, organizationId: number, sub: string) =>
  imports(db, organizationId, sub).orderBy('i.id', 'desc').limit(20).execute()

type Which = { organizationId: number; sub: string; id: number }
export const findImport = (db: Executor, { organizationId, sub, id }: Which) =>
  imports(db, organizationId, sub).where('i.id', '=', id).executeTakeFirst()

export const importLines = (db: Executor, id: number) =>
  db
    .selectFrom('user_import_line')
    .select(['line', 'username', 'outcome', 'problem', 'link'])
    .where('import_id', '=', id)
    .orderBy('line')
    .execute()

const leaseMs = 30_000

/** Take an open import that nobody works on; or keep the one that is named. */
export async function takeImport(db: Executor, now: Date, mine?: number) {
  const until = new Date(now.getTime() + leaseMs)
  const { rows } = await sql<{ id: number; organizationId: number; caller: Caller }>`
    update core.user_import set worked_on_until = ${until} where id = (
      select id from core.user_import
      where finished_at is null
        and (id = ${mine ?? null}::int or (${mine ?? null}::int is null
          and (worked_on_until is null or worked_on_until < ${now})))
      order by id limit 1 for update skip locked)
    returning id, organization_id as "organizationId", caller`.execute(db)
  return rows[0]
}

export const waitingLines = (db: Executor, id: number, most: number) =>
  db
    .selectFrom('user_import_line')
    .select(['line', 'username', 'person'])
    .where('import_id', '=', id)
    .where('outcome', '=', 'WAITING')
    .orderBy('line')
    .limit(most)
    .execute()

type Done = { outcome: Outcome; code?: string; problem?: string; link?: Buffer }
export const finishLine = (
  db: Executor,
  { id, line }: { id: number; line: number },
  { outcome, code = '', problem = '', link }: Done,
) =>
  db
    .updateTable('user_import_line')
    .set({ outcome, code: code || null, problem: problem || null, link: link ?? null })
    .where('import_id', '=', id)
    .where('line', '=', line)
    .execute()

export const finishImport = (db: Executor, id: number, now: Date) =>
  db.updateTable('user_import').set({ finished_at: now }).where('id', '=', id).execute()

/** Delete imports made before a time: their links have expired. */
export const deleteImportsBefore = (db: Executor, before: Date) =>
  db.deleteFrom('user_import').where('created_at', '<', before).execute()
