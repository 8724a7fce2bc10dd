import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { DeviceTable, MappingsDb, Tree } from '../database.ts'

/** What the wire says of a device comes from its row and its preset's. */
const withPreset = (db: Kysely<MappingsDb>) =>
  db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .selectAll('device')
    .select([
      'preset.name as preset_name',
      'preset.model_id',
      'preset.model_name',
      'preset.model_version',
    ])

export type DeviceRow = Omit<DeviceTable, 'attributes'> & {
  attributes: Tree
  preset_name: string | null
  model_id: string | null
  model_name: string | null
  model_version: string | null
}

export type Listed = {
  where: RawBuilder<boolean>
  orderBy: RawBuilder<unknown>
  orderDir: 'asc' | 'desc'
  page: number
  pageSize: number
}

export const listDevices = (db: Kysely<MappingsDb>, listed: Listed): Promise<DeviceRow[]> =>
  withPreset(db)
    .where(listed.where)
    .orderBy(listed.orderBy, listed.orderDir)
    .orderBy('device.id')
    .offset(listed.page * listed.pageSize)
    .limit(listed.pageSize)
    .execute()

export async function countDevices(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const { total } = await db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .select((select) => select.fn.countAll<number>().as('total'))
    .where(where)
    .executeTakeFirstOrThrow()
  return total
}

const counted = (condition: RawBuilder<boolean>) =>
  sql<number>`count(*) filter (where ${condition})`

/** How many of these devices are in each state. */
export const countStates = (db: Kysely<MappingsDb>, where: RawBuilder<boolean>) =>
  db
    .selectFrom('device')
    .leftJoin('preset', 'preset.id', 'device.preset_id')
    .select([
      sql<number>`count(*)`.as('total'),
      counted(sql`device.connected`).as('connected'),
      counted(sql`not device.connected and device.last_connection_at is not null`).as(
        'disconnected',
      ),
      counted(sql`not device.connected and device.last_connection_at is null`).as('neverConnected'),
      counted(sql`device.preset_id is null`).as('withoutPreset'),
      counted(
        sql`device.preset_id is not null and not device.configuration_applied and device.configuration_error is null`,
      ).as('configurationPending'),
      counted(sql`device.configuration_error is not null`).as('configurationError'),
    ])
    .where(where)
    .executeTakeFirstOrThrow()

export const findDevice = (
  db: Kysely<MappingsDb>,
  id: string,
  visible: RawBuilder<boolean>,
): Promise<DeviceRow | undefined> =>
  withPreset(db).where('device.id', '=', id).where(visible).executeTakeFirst()

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
      'model.json as model',
    ])
    .where('device.id', '=', id)
    .executeTakeFirst()

type Fresh = Pick<
  DeviceRow,
  'id' | 'organization' | 'realm' | 'label' | 'description' | 'serial_number' | 'tags' | 'preset_id'
>

export const insertDevice = (tx: Kysely<MappingsDb>, fresh: Fresh, now: Date) =>
  tx
    .insertInto('device')
    .values({
      ...fresh,
      attributes: '{}',
      groups: [],
      created_at: now,
      updated_at: now,
      connected: false,
      last_connection_at: null,
      configuration_sent: false,
      configuration_applied: false,
      configuration_error: null,
      last_configuration_at: null,
    })
    .execute()

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
  >
>

export const updateDevice = (tx: Kysely<MappingsDb>, id: string, changes: Changes) =>
  tx.updateTable('device').set(changes).where('id', '=', id).execute()

/** Set one attribute; `null` takes it away. */
export const setAttribute = (
  tx: Kysely<MappingsDb>,
  id: string,
  { key, json, now }: { key: string; json: string; now: Date },
) =>
  tx
    .updateTable('device')
    .set({
      attributes:
        json === 'null'
          ? sql<string>`attributes - ${key}::text`
          : sql<string>`attributes || jsonb_build_object(${key}::text, ${json}::jsonb)`,
      updated_at: now,
    })
    .where('id', '=', id)
    .execute()

export const deleteDevice = (tx: Kysely<MappingsDb>, id: string) =>
  tx.deleteFrom('device').where('id', '=', id).execute()

/** Names of attributes in use, at most 1000. */
export async function attributeKeys(db: Kysely<MappingsDb>, visible: RawBuilder<boolean>) {
  const rows = await db
    .selectFrom('device')
    .select(sql<string>`jsonb_object_keys(attributes)`.as('key'))
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
  visible: RawBuilder<boolean>,
  key: string,
) {
  const rows = await db
    .selectFrom('device')
    .select(sql<string>`attributes ->> ${key}`.as('value'))
    .distinct()
    .where(visible)
    .where(sql<boolean>`attributes ->> ${key} is not null`)
    .orderBy('value')
    .limit(1_000)
    .execute()
  return rows.map(({ value }) => value)
}

/** Ids of the devices that use a preset. */
export async function devicesWithPreset(db: Kysely<MappingsDb>, presetId: string) {
  const rows = await db
    .selectFrom('device')
    .select('id')
    .where('preset_id', '=', presetId)
    .orderBy('id')
    .execute()
  return rows.map(({ id }) => id)
}

/** What a device reported is about a configuration that it no longer is to have. */
export const noConfigurationYet = {
  configuration_sent: false,
  configuration_applied: false,
  configuration_error: null,
}

export const resetConfiguration = (tx: Kysely<MappingsDb>, presetId: string) =>
  tx.updateTable('device').set(noConfigurationYet).where('preset_id', '=', presetId).execute()
