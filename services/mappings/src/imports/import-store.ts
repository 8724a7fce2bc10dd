import { type Kysely, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { newDeviceId } from '../ids.ts'
import type { ImportFault } from './import-contract.ts'
import { faultOfProblem, writeFault } from './import-fault.ts'
import type { PlannedLine } from './import-rules.ts'

type Db = Kysely<MappingsDb>
export type Mine = { organization: string; sub: string }
/** So long the keys of an import are shown. */
export const shownForMs = 7 * 24 * 3_600_000

/** An import with its lines; lines that cannot be done are done already. */
export async function insertImport(
  tx: Db,
  made: Mine & { name: string; now: Date },
  lines: readonly PlannedLine[],
) {
  const { now: created_at, ...more } = made
  const { id } = await tx
    .insertInto('device_import')
    .values({ ...more, created_at })
    .returning('id')
    .executeTakeFirstOrThrow()
  const outcomes = { ERROR: 'FAILED', PRESENT: 'PRESENT', CREATE: 'WAITING' } as const
  const rows = lines.map(({ line, outcome, problems: [problem], wanted }) => ({
    import_id: id,
    line,
    device_id: newDeviceId(),
    wanted,
    outcome: outcomes[outcome],
    problem: problem ? writeFault(faultOfProblem(problem)) : null,
  }))
  await sql`insert into mappings.device_import_line (import_id, line, device_id, wanted, outcome, problem)
    select import_id, line, device_id, wanted, outcome, problem
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as one(
      import_id int, line int, device_id text, wanted jsonb, outcome text, problem text)`.execute(
    tx,
  )
  return id
}

export const setJob = (tx: Db, id: number, job: string) =>
  tx.updateTable('device_import').set({ job }).where('id', '=', id).execute()

const countLines = (condition: string) =>
  sql<number>`(select count(*) from mappings.device_import_line l
    where l.import_id = i.id and ${sql.raw(condition)})`

const imports = (db: Db, { organization, sub }: Mine, since: Date) =>
  db
    .selectFrom('device_import as i')
    .select(['i.id', 'i.name', 'i.created_at', 'i.job'])
    .select([
      countLines('true').as('total'),
      countLines(`l.outcome = 'MADE'`).as('made'),
      countLines(`l.outcome = 'FAILED'`).as('failed'),
      countLines(`l.outcome = 'WAITING'`).as('waiting'),
      countLines('l.key is not null').as('keys'),
    ])
    .where('i.organization', '=', organization)
    .where('i.sub', '=', sub)
    .where('i.created_at', '>', since)

export const listImports = (db: Db, mine: Mine, since: Date) =>
  imports(db, mine, since).orderBy('i.id', 'desc').limit(20).execute()

// oxlint-disable-next-line max-params -- which one of whose
export const findImport = (db: Db, mine: Mine, since: Date, id: number) =>
  imports(db, mine, since).where('i.id', '=', id).executeTakeFirst()

export const importLines = (db: Db, id: number) =>
  db
    .selectFrom('device_import_line')
    .selectAll()
    .where('import_id', '=', id)
    .orderBy('line')
    .execute()

export const waitingLines = (db: Db, id: number) =>
  db
    .selectFrom('device_import_line')
    .select(['line', sql<string>`wanted ->> 'label'`.as('label')])
    .where('import_id', '=', id)
    .where('outcome', '=', 'WAITING')
    .orderBy('line')
    .execute()

export type LineId = { id: number; line: number }

export const findLine = (db: Db, { id, line }: LineId) =>
  db
    .selectFrom('device_import_line')
    .selectAll()
    .where('import_id', '=', id)
    .where('line', '=', line)
    .executeTakeFirst()

/** Lines that are still to be made. */
export const findWaiting = (db: Db, { id, lines }: { id: number; lines: readonly number[] }) =>
  db
    .selectFrom('device_import_line')
    .selectAll()
    .where('import_id', '=', id)
    .where('outcome', '=', 'WAITING')
    .where(sql<boolean>`line = any(${[...lines]}::int[])`)
    .orderBy('line')
    .execute()

/** Mark lines as made, each with its encrypted key where it has one. */
export const finishMadeLines = (
  db: Db,
  id: number,
  made: readonly { line: number; key: Buffer | undefined }[],
) =>
  sql`update mappings.device_import_line l
    set outcome = 'MADE', problem = null, key = decode(one.key, 'base64')
    from jsonb_to_recordset(${JSON.stringify(
      made.map(({ line, key }) => ({ line, key: key?.toString('base64') ?? null })),
    )}::jsonb) as one(line int, key text)
    where l.import_id = ${id} and l.line = one.line`.execute(db)

type Ended = { outcome: 'MADE' | 'FAILED'; fault?: ImportFault; key?: Buffer }

export const finishLine = (db: Db, { id, line }: LineId, { outcome, fault, key }: Ended) =>
  db
    .updateTable('device_import_line')
    .set({ outcome, problem: fault ? writeFault(fault) : null, key: key ?? null })
    .where('import_id', '=', id)
    .where('line', '=', line)
    .execute()

/** Delete imports made before a time, with their keys. */
export const deleteImportsBefore = (db: Db, before: Date) =>
  db.deleteFrom('device_import').where('created_at', '<=', before).execute()
