import { holdLock } from '@longreach/kit/locks'
import { type Generated, type Kysely, type QueryExecutorProvider, sql } from 'kysely'

export type ExportRow = {
  id: string
  organization: string
  asked_by: string
  name: string
  content_type: string
  packed: boolean
  writer: string
  complete: boolean
  parts: number
  bytes: number
  stored_bytes: number
  made_at: Date
  expires_at: Date
}
/** Columns with a default value in a new row. */
type Counted = 'complete' | 'parts' | 'bytes' | 'stored_bytes'
export type ExportDb = {
  export_file: Omit<ExportRow, Counted> & { [K in Counted]: Generated<ExportRow[K]> }
  export_part: { export_id: string; place: number; data: Buffer }
  export_link: {
    /** SHA-256 of what the address carries. */
    secret: Buffer
    export_id: string
    organization: string
    caller: unknown
    session: string | null
    expires_at: Date
  }
}
type Db = Kysely<ExportDb>

type NewFile = Omit<ExportRow, Counted>

/** Begins a file and deletes the rest of an earlier attempt. */
export async function beginFile(db: Db, file: NewFile) {
  await db.transaction().execute(async (tx) => {
    await tx.deleteFrom('export_file').where('id', '=', file.id).execute()
    await tx.insertInto('export_file').values(file).execute()
  })
}

/** Add a part; answers false when another writer took over, or the file is gone. */
export async function addPart(
  db: Db,
  { id, writer }: Pick<ExportRow, 'id' | 'writer'>,
  place: number,
  data: Buffer,
) {
  const added = await db
    .insertInto('export_part')
    .columns(['export_id', 'place', 'data'])
    .expression((build) =>
      build
        .selectFrom('export_file')
        .select(({ val, ref }) => [
          ref('id').as('export_id'),
          sql<number>`${val(place)}::int`.as('place'),
          sql<Buffer>`${val(data)}::bytea`.as('data'),
        ])
        .where('id', '=', id)
        .where('writer', '=', writer)
        .where('complete', '=', false),
    )
    .executeTakeFirst()
  return (added.numInsertedOrUpdatedRows ?? 0n) > 0n
}

type End = Pick<ExportRow, 'parts' | 'bytes' | 'stored_bytes' | 'expires_at'>

/** The file is whole; answers false when another writer took over. */
export async function completeFile(
  db: Db,
  { id, writer }: Pick<ExportRow, 'id' | 'writer'>,
  end: End,
) {
  const done = await db
    .updateTable('export_file')
    .set({ ...end, complete: true })
    .where('id', '=', id)
    .where('writer', '=', writer)
    .executeTakeFirst()
  return done.numUpdatedRows > 0n
}

/** Deletes an unfinished file, unless another process writes it now. */
export const dropFile = (db: Db, { id, writer }: Pick<ExportRow, 'id' | 'writer'>) =>
  db.deleteFrom('export_file').where('id', '=', id).where('writer', '=', writer).execute()

type Whose = Pick<ExportRow, 'organization' | 'asked_by'>

/** The person's own file, when it is whole. */
export const findFile = (db: Db, id: string, { organization, asked_by }: Whose) =>
  db
    .selectFrom('export_file')
    .selectAll()
    .where('id', '=', id)
    .where('organization', '=', organization)
    .where('asked_by', '=', asked_by)
    .where('complete', '=', true)
    .executeTakeFirst()

export async function deleteFile(db: Db, id: string, { organization, asked_by }: Whose) {
  const gone = await db
    .deleteFrom('export_file')
    .where('id', '=', id)
    .where('organization', '=', organization)
    .where('asked_by', '=', asked_by)
    .executeTakeFirst()
  return gone.numDeletedRows > 0n
}

/** Bytes of an organization's files, unfinished ones included. */
export async function keptBytes(db: Db, organization: string, now: Date) {
  const { bytes } = await db
    .selectFrom('export_file')
    .select(({ fn, val }) =>
      // The sum of bigints is a numeric, which comes as a text.
      fn.coalesce(fn.sum<string>('stored_bytes'), val('0')).as('bytes'),
    )
    .where('organization', '=', organization)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(bytes)
}

/** One after the other: two questions at once see each other. */
export const lockPerson = (tx: QueryExecutorProvider, { organization, asked_by }: Whose) =>
  holdLock(tx, 'platform.export', organization, asked_by)

/** The file's parts in order, one at a time in memory. */
export async function* readParts(db: Db, { id, parts }: Pick<ExportRow, 'id' | 'parts'>) {
  for (let place = 0; place < parts; place += 1) {
    const part = await db
      .selectFrom('export_part')
      .select('data')
      .where('export_id', '=', id)
      .where('place', '=', place)
      .executeTakeFirst()
    // A file that ends early would look whole.
    if (!part) throw new Error(`part ${place} of export ${id} is gone`)
    yield part.data
  }
}

const dayMs = 86_400_000
/** Age of an unfinished file that no job writes any more. */
const abandonedMs = 2 * dayMs
/** Age up to which an expired file is still named as expired. */
const rememberedMs = 30 * dayMs

/** Deletes the content of expired files, and the rows of long expired or abandoned ones. */
export async function dropExpired(db: Db, now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await db
    .deleteFrom('export_part')
    .where('export_id', 'in', (build) =>
      build.selectFrom('export_file').select('id').where('expires_at', '<=', now),
    )
    .execute()
  await db
    .updateTable('export_file')
    .set({ parts: 0, stored_bytes: 0 })
    .where('expires_at', '<=', now)
    .where('parts', '>', 0)
    .execute()
  await db.deleteFrom('export_file').where('expires_at', '<', before(rememberedMs)).execute()
  await db
    .deleteFrom('export_file')
    .where('complete', '=', false)
    .where('made_at', '<', before(abandonedMs))
    .execute()
}

/** Files of organizations that will not come back. */
export const dropFilesOf = (tx: Db, organizations: readonly string[]) =>
  organizations.length === 0
    ? undefined
    : tx.deleteFrom('export_file').where('organization', 'in', organizations).execute()
