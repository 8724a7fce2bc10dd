import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import type { SegmentTable } from './search-tables.ts'

type Db = Kysely<MappingsDb>
export type SegmentRow = Omit<SegmentTable, 'question'> & { question: Tree }

/** Segments of the call's organization that the caller made or that are shared. */
const seen = ({ organization, caller }: OrgCtx) =>
  sql<boolean>`(segment.organization = ${organization.resourceId}
    and (segment.shared or segment.owner = ${caller.sub}))`

export const listSegments = (db: Db, ctx: OrgCtx): Promise<SegmentRow[]> =>
  db
    .selectFrom('segment')
    .selectAll()
    .where(seen(ctx))
    .orderBy(sql`segment.name collate mappings.natural_order`)
    .orderBy('id')
    .limit(500)
    .execute()

export const findSegment = (db: Db, ctx: OrgCtx, id: string): Promise<SegmentRow | undefined> =>
  db.selectFrom('segment').selectAll().where('id', '=', id).where(seen(ctx)).executeTakeFirst()

/** The segment for changing it: two at once go one after the other. */
export const lockSegment = (tx: Db, ctx: OrgCtx, id: string): Promise<SegmentRow | undefined> =>
  tx
    .selectFrom('segment')
    .selectAll()
    .where('id', '=', id)
    .where(seen(ctx))
    .forUpdate()
    .executeTakeFirst()

/** Undefined when the name is taken: among the shared ones, or among the person's own. */
export const insertSegment = (tx: Db, row: SegmentRow): Promise<SegmentRow | undefined> =>
  tx
    .insertInto('segment')
    .values({ ...row, question: JSON.stringify(row.question) })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()

type Changes = Pick<SegmentRow, 'name' | 'shared' | 'question' | 'updated_at'>

/** Is the name taken by another segment than this one? */
export async function isSegmentNameTaken(tx: Db, row: SegmentRow) {
  const other = await tx
    .selectFrom('segment')
    .select('id')
    .where('organization', '=', row.organization)
    .where('id', '<>', row.id)
    .where('shared', '=', row.shared)
    .where(sql<boolean>`mappings.folded(name) = mappings.folded(${row.name})`)
    .$if(!row.shared, (query) => query.where('owner', '=', row.owner))
    .executeTakeFirst()
  return other !== undefined
}

export const updateSegment = (tx: Db, id: string, changes: Changes): Promise<SegmentRow> =>
  tx
    .updateTable('segment')
    .set({ ...changes, question: JSON.stringify(changes.question) })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()

export const deleteSegment = (tx: Db, id: string) =>
  tx.deleteFrom('segment').where('id', '=', id).execute()

/** Put those of these devices into a segment that the caller sees; answers how many those are. */
export async function pickDevices(
  tx: Db,
  id: string,
  { ids, visible }: { ids: readonly string[]; visible: RawBuilder<boolean> },
) {
  if (ids.length === 0) return 0
  const devices = await tx
    .selectFrom('device')
    .select('id')
    .where(sql<boolean>`device.id = any(${[...new Set(ids)]}::text[])`)
    .where(visible)
    .execute()
  if (devices.length === 0) return 0
  await sql`insert into mappings.segment_device (segment_id, device_id)
    select ${id}, one from unnest(${devices.map((device) => device.id)}::text[]) as one
    on conflict do nothing`.execute(tx)
  return devices.length
}

export const unpickDevices = (tx: Db, id: string, ids: readonly string[]) =>
  tx
    .deleteFrom('segment_device')
    .where('segment_id', '=', id)
    .where(sql<boolean>`device_id = any(${[...ids]}::text[])`)
    .execute()

/** Number of devices that fulfil each of these conditions, counted by two statements in parallel. */
export async function countEach(
  db: Db,
  visible: RawBuilder<boolean>,
  conditions: readonly RawBuilder<boolean>[],
): Promise<number[]> {
  const half = Math.ceil(conditions.length / 2)
  const halves = [conditions.slice(0, half), conditions.slice(half)]
  const counts = await Promise.all(halves.map((some) => countSome(db, visible, some)))
  return counts.flat()
}

async function countSome(
  db: Db,
  visible: RawBuilder<boolean>,
  conditions: readonly RawBuilder<boolean>[],
): Promise<number[]> {
  if (conditions.length === 0) return []
  const counts = conditions.map(
    (condition) => sql`(select count(*) from mappings.device
      left join mappings.preset on preset.id = device.preset_id
      where ${visible} and ${condition})`,
  )
  const { rows } = await sql<{ counts: number[] }>`
    select array[${sql.join(counts)}]::int[] as counts`.execute(db)
  return rows[0]?.counts ?? []
}
