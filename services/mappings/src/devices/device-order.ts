import { failure } from '@longreach/kit/errors'
import { type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'

/** Sort key of a list: never null, so that a scroll can go on after its last value. */
export type Order = {
  name: string
  sql: RawBuilder<unknown>
  type: 'text' | 'timestamptz' | 'boolean'
  /** An index holds the devices of each organization in this order. */
  byOrganization?: boolean
  /** Devices of one preset stand together in it. */
  byPreset?: boolean
}

const textOrder = (expression: RawBuilder<unknown>) => ({
  sql: sql`(${expression} collate mappings.natural_order)`,
  type: 'text' as const,
})
const timeOrder = (column: string) => ({ sql: sql.ref(column), type: 'timestamptz' as const })
const flagOrder = (column: string) => ({ sql: sql.ref(column), type: 'boolean' as const })
/** As the index writes it: a device that never was connected counts as long ago. */
const sinceEver = (column: string) => ({
  sql: sql`coalesce(${sql.ref(column)}, '1970-01-01 00:00:00+00')`,
  type: 'timestamptz' as const,
})
const ofPreset = (order: Pick<Order, 'sql' | 'type'>) => ({ ...order, byPreset: true })
const orEmpty = (column: string) => textOrder(sql`coalesce(${sql.ref(column)}, '')`)

const label = { ...textOrder(sql.ref('device.label')), byOrganization: true }
const id = { sql: sql`device.id`, type: 'text' as const }
const sortable = new Map<string, Omit<Order, 'name'>>([
  ['name', label],
  ['label', label],
  ['description', textOrder(sql.ref('device.description'))],
  ['serialNumber', textOrder(sql.ref('device.serial_number'))],
  ['creationDate', timeOrder('device.created_at')],
  ['updatedAt', timeOrder('device.updated_at')],
  ['connected', flagOrder('device.connected')],
  // The worst first, then by name; as the index writes it.
  ['state', textOrder(sql`(device.state_rank::text || ' ' || device.label)`)],
  ['lastConnUpdateAt', sinceEver('device.last_connection_at')],
  ['lastConfigUpdateAt', sinceEver('device.last_configuration_at')],
  ['configurationApplied', flagOrder('device.configuration_applied')],
  ['configurationError', orEmpty('device.configuration_error')],
  ['presetName', ofPreset(orEmpty('preset.name'))],
  ['presetId', ofPreset({ sql: sql`coalesce(device.preset_id, '')`, type: 'text' })],
  ['modelName', ofPreset(orEmpty('preset.model_name'))],
  ['modelVersion', ofPreset(orEmpty('preset.model_version'))],
  ['orgResourceId', { sql: sql`device.organization`, type: 'text' }],
  ['deletedAt', timeOrder('device.deleted_at')],
  ['deviceId', id],
  ['id', id],
])

/** The order of this name; 400 with all that there are for one that is not known. */
export function orderOf(name = 'name'): Order {
  const order = sortable.get(name)
  if (order) return { name, ...order }
  throw failure(mappingsContract, 'bad_order', {
    message: `Devices cannot be ordered by ${name}; use one of ${[...sortable.keys()].join(', ')}.`,
    field: 'orderBy',
  })
}
