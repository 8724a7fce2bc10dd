import { type Kysely, type RawBuilder, type Selectable, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import type { DeviceTable } from './devices-tables.ts'
import { lockInOrder } from '../presets/preset-devices-store.ts'
import { stateCondition } from '../search/device-states.ts'

/** Columns of a device's row that are worked out for searching: no answer holds them. */
type Searched = 'search_text' | 'search_beginnings' | 'configuration_failed' | 'lat' | 'lon'

/** Columns of a device and of its preset that the wire tells, for `select`. */
export const deviceColumns = sql.raw(
  [
    ...deviceColumnNames().map((name) => `device.${name}`),
    'preset.name as preset_name',
    'preset.model_id',
    'preset.model_name',
    'preset.model_version',
  ].join(', '),
)

function deviceColumnNames() {
  const all: Record<Exclude<keyof DeviceTable, Searched>, true> = {
    id: true,
    organization: true,
    realm: true,
    label: true,
    description: true,
    serial_number: true,
    preset_id: true,
    tags: true,
    attributes: true,
    groups: true,
    created_at: true,
    updated_at: true,
    connected: true,
    last_connection_at: true,
    configuration_sent: true,
    configuration_applied: true,
    configuration_error: true,
    last_configuration_at: true,
    deleted_at: true,
    deleted_by: true,
  }
  return Object.keys(all)
}

export type DeviceRow = Omit<Selectable<DeviceTable>, 'attributes' | Searched> & {
  attributes: Tree
  preset_name: string | null
  model_id: string | null
  model_name: string | null
  model_version: string | null
}

const countWhere = (condition: RawBuilder<boolean>) =>
  sql<number>`count(*) filter (where ${condition})`

/** Number of these devices in each state. */
export const countStates = (db: Kysely<MappingsDb>, where: RawBuilder<boolean>) =>
  db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .select([
      sql<number>`count(*)`.as('total'),
      countWhere(stateCondition('online')).as('connected'),
      countWhere(stateCondition('offline')).as('disconnected'),
      countWhere(stateCondition('never')).as('neverConnected'),
      countWhere(stateCondition('withoutPreset')).as('withoutPreset'),
      countWhere(stateCondition('pending')).as('configurationPending'),
      countWhere(stateCondition('error')).as('configurationError'),
    ])
    .where(where)
    .executeTakeFirstOrThrow()

export const findDevice = (
  db: Kysely<MappingsDb>,
  id: string,
  visible: RawBuilder<boolean>,
): Promise<DeviceRow | undefined> =>
  sql<DeviceRow>`select ${deviceColumns} from mappings.device
    left join mappings.preset on preset.id = device.preset_id
    where device.id = ${id} and ${visible}`
    .execute(db)
    .then(({ rows }) => rows[0])

/** The row for changing it: two at once go one after the other. */
export const lockDevice = (tx: Kysely<MappingsDb>, id: string, visible: RawBuilder<boolean>) =>
  tx
    .selectFrom('device')
    .selectAll()
    .where('id', '=', id)
    .where(visible)
    .forUpdate()
    .executeTakeFirst()

export const deviceById = (db: Kysely<MappingsDb>, id: string) =>
  db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .leftJoin('model', 'model.id', 'preset.model_id')
    .select([
      'device.id',
      'device.label',
      'device.realm',
      'device.organization',
      'device.groups',
      'preset.compiled',
      'preset.json as preset',
      'model.json as model',
      'model.organization as modelOrganization',
      'model.name as modelName',
      'model.major as modelMajor',
    ])
    .where('device.id', '=', id)
    .where('device.deleted_at', 'is', null)
    .executeTakeFirst()

type Fresh = Pick<
  DeviceRow,
  | 'id'
  | 'organization'
  | 'realm'
  | 'label'
  | 'description'
  | 'serial_number'
  | 'tags'
  | 'preset_id'
  | 'attributes'
>

export const insertDevice = (tx: Kysely<MappingsDb>, fresh: Fresh, now: Date) =>
  insertDevices(tx, [fresh], now)

export async function insertDevices(tx: Kysely<MappingsDb>, all: readonly Fresh[], now: Date) {
  if (all.length === 0) return
  await tx
    .insertInto('device')
    .values(
      all.map((fresh) => ({
        ...fresh,
        attributes: JSON.stringify(fresh.attributes),
        groups: [],
        created_at: now,
        updated_at: now,
        connected: false,
        last_connection_at: null,
        configuration_sent: false,
        configuration_applied: false,
        configuration_error: null,
        last_configuration_at: null,
      })),
    )
    .execute()
}

export type Changes = Partial<
  Pick<
    DeviceRow,
    | 'organization'
    | 'label'
    | 'description'
    | 'serial_number'
    | 'tags'
    | 'preset_id'
    | 'groups'
    | 'updated_at'
    | 'connected'
    | 'last_connection_at'
    | 'configuration_sent'
    | 'configuration_applied'
    | 'configuration_error'
    | 'last_configuration_at'
    | 'deleted_at'
    | 'deleted_by'
  >
>

export const updateDevice = (tx: Kysely<MappingsDb>, id: string, changes: Changes) =>
  tx.updateTable('device').set(changes).where('id', '=', id).execute()

/** Set some attributes; `null` takes one away. */
export const setAttributes = (
  tx: Kysely<MappingsDb>,
  id: string,
  { values, now }: { values: Tree; now: Date },
) =>
  tx
    .updateTable('device')
    .set({
      // Not jsonb_strip_nulls: it goes into the values too.
      attributes: sql<string>`(attributes || ${JSON.stringify(values)}::jsonb) - ${Object.keys(
        values,
      ).filter((key) => values[key] === null)}::text[]`,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()

export const deleteDevice = (tx: Kysely<MappingsDb>, id: string) =>
  tx.deleteFrom('device').where('id', '=', id).execute()

/** Devices that a caller sees, and what they see of their attributes. */
type Shown = { visible: RawBuilder<boolean>; attributes: RawBuilder<unknown> }

/** Names of attributes in use, at most 1000. */
export async function attributeKeys(db: Kysely<MappingsDb>, { visible, attributes }: Shown) {
  const rows = await db
    .selectFrom('device')
    .select(sql<string>`jsonb_object_keys(${attributes})`.as('key'))
    .distinct()
    .where(visible)
    .orderBy('key')
    .limit(1_000)
    .execute()
  return rows.map(({ key }) => key)
}

/** Values that one attribute has, as text, at most 1000. */
export async function attributeValues(
  db: Kysely<MappingsDb>,
  { visible, attributes }: Shown,
  key: string,
) {
  const rows = await db
    .selectFrom('device')
    .select(sql<string>`${attributes} ->> ${key}`.as('value'))
    .distinct()
    .where(visible)
    .where(sql<boolean>`${attributes} ->> ${key} is not null`)
    .orderBy('value')
    .limit(1_000)
    .execute()
  return rows.map(({ value }) => value)
}

/** Lock devices by their ids in one order, so that they can be changed in any order. */
export const lockDevices = (tx: Kysely<MappingsDb>, ids: readonly string[]) =>
  lockInOrder(tx, sql<boolean>`device.id = any(${[...new Set(ids)]}::text[])`)

/** The devices of a group that may be seen, in the order of their labels. */
export const devicesOfGroup = (
  db: Kysely<MappingsDb>,
  group: number,
  visible: RawBuilder<boolean>,
) =>
  db
    .selectFrom('device')
    .select(['id', 'label'])
    .where(sql<boolean>`groups && array[${group}]::int[]`)
    .where(visible)
    .orderBy('label')
    .orderBy('id')
    .execute()

/** Labels of those of these devices that may be seen, by id. */
export async function labelsOf(
  db: Kysely<MappingsDb>,
  ids: readonly string[],
  visible: RawBuilder<boolean>,
) {
  const rows = await db
    .selectFrom('device')
    .select(['id', 'label'])
    .where(sql<boolean>`device.id = any(${[...ids]}::text[])`)
    .where(visible)
    .execute()
  return new Map(rows.map(({ id, label }) => [id, label]))
}
