import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import type { SqlField } from '@longreach/search-expression/expression-sql'
import type { Rights } from '../reach.ts'
import { requireField } from '../search/device-search.ts'
import type { DeviceAggregations } from '../search/search-contract.ts'

/** Database of the devices, and rights of the caller who asks for figures. */
export type Reading = { db: Kysely<MappingsDb>; rights: Rights }
type Asked = { statFields?: string[] | undefined; countDistinct?: string[] | undefined }

/** Figures over all devices that match; undefined when none are asked for. */
export async function aggregationsOf(
  reading: Reading,
  where: RawBuilder<boolean>,
  { statFields, countDistinct }: Asked,
): Promise<DeviceAggregations | undefined> {
  if (!statFields && !countDistinct) return undefined
  return {
    ...(statFields && { stats: await statsOf(reading, where, statFields) }),
    ...(countDistinct && { countDistinct: await distinctOf(reading, where, countDistinct) }),
  }
}

/** Count, least, greatest, mean and sum of each field. */
async function statsOf({ db, rights }: Reading, where: RawBuilder<boolean>, names: string[]) {
  if (names.length === 0) return {}
  return statsIn(await figuresOf(db, where, statColumns(rights, names)), names)
}

/** The figures of fields as columns of a query over devices. */
export const statColumns = (rights: Rights, names: readonly string[]) =>
  names.flatMap((name, place) => {
    const value = numberOf(requireField(rights, name))
    return ['count', 'min', 'max', 'avg', 'sum'].map((figure) =>
      sql<number | null>`${sql.raw(figure)}(${value})`.as(`${figure}${place}`),
    )
  })

/** A row of such a query. */
export type StatRow = Record<string, unknown>

/** The figures of a row, by field. */
export function statsIn(row: StatRow, names: readonly string[]) {
  const figure = (name: string, place: number) => (row[`${name}${place}`] ?? null) as number | null // as `statColumns` selects it
  return Object.fromEntries(
    names.map((name, place) => [
      name,
      {
        count: figure('count', place) ?? 0,
        min: figure('min', place),
        max: figure('max', place),
        avg: figure('avg', place),
        sum: figure('sum', place) ?? 0,
      },
    ]),
  )
}

async function distinctOf({ db, rights }: Reading, where: RawBuilder<boolean>, names: string[]) {
  if (names.length === 0) return {}
  const columns = names.map((name, place) =>
    sql`count(distinct ${requireField(rights, name).sql})`.as(`count${place}`),
  )
  const row = await figuresOf(db, where, columns)
  return Object.fromEntries(names.map((name, place) => [name, row[`count${place}`] ?? 0]))
}

async function figuresOf(
  db: Kysely<MappingsDb>,
  where: RawBuilder<boolean>,
  columns: ReturnType<ReturnType<typeof sql>['as']>[],
): Promise<Record<string, number | null>> {
  const row = await db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .select(columns)
    .where(where)
    .executeTakeFirstOrThrow()
  return row as Record<string, number | null> // every column is a figure
}

/** A field as a number: yes is 1, a time its ms since 1970; nothing where it is none. */
function numberOf({ kind, sql: column }: SqlField): RawBuilder<unknown> {
  switch (kind) {
    case 'number':
      return sql`${column}::double precision`
    case 'boolean':
      return sql`${column}::int::double precision`
    case 'time':
      return sql`(extract(epoch from ${column}) * 1000)::double precision`
    case 'texts':
    case 'numbers':
      return sql`cardinality(${column})::double precision`
    case 'json':
      return sql`(case jsonb_typeof(${column}) when 'number' then (${column})::double precision
        when 'boolean' then (${column})::boolean::int::double precision end)`
    case 'text':
      return sql`null::double precision`
  }
}
