import { sql } from 'kysely'
import type { SqlField } from '@longreach/search-expression/expression-sql'
import { attributeFor, type Rights } from '../reach.ts'

const text = (column: string): SqlField => ({ sql: sql.ref(column), kind: 'text' })
/** A text that stands in the text of the device that is searched by index. */
const indexed = (column: string): SqlField => ({
  ...text(column),
  within: sql.ref('device.search_text'),
})
const flag = (column: string): SqlField => ({ sql: sql.ref(column), kind: 'boolean' })
const time = (column: string): SqlField => ({ sql: sql.ref(column), kind: 'time' })
const number = (column: string): SqlField => ({ sql: sql.ref(column), kind: 'number' })

const fields = new Map<string, SqlField>([
  ['id', indexed('device.id')],
  ['deviceId', indexed('device.id')],
  ['logicalId', indexed('device.id')],
  ['realmId', text('device.realm')],
  ['orgResourceId', text('device.organization')],
  ['name', indexed('device.label')],
  ['label', indexed('device.label')],
  ['description', indexed('device.description')],
  ['serialNumber', indexed('device.serial_number')],
  ['presetId', text('device.preset_id')],
  ['presetName', text('preset.name')],
  ['modelId', text('preset.model_id')],
  ['modelName', text('preset.model_name')],
  ['modelVersion', text('preset.model_version')],
  ['configurationError', text('device.configuration_error')],
  ['configurationSent', flag('device.configuration_sent')],
  ['configurationApplied', flag('device.configuration_applied')],
  ['connected', flag('device.connected')],
  ['creationDate', time('device.created_at')],
  ['updatedAt', time('device.updated_at')],
  ['lastConnUpdateAt', time('device.last_connection_at')],
  ['lastConfigUpdateAt', time('device.last_configuration_at')],
  ['position.lat', number('device.lat')],
  ['position.lon', number('device.lon')],
  ['position', number('device.lat')],
  ['tags', { sql: sql.ref('device.tags'), kind: 'texts' }],
  ['groups', { sql: sql.ref('device.groups'), kind: 'numbers' }],
])

/**
 * A field of a device by its name on the wire, with the values that the caller sees;
 * `attributes.site.name` reaches into the attributes.
 */
export function deviceField(rights: Rights, name: string): SqlField | undefined {
  const known = fields.get(name)
  if (known || !name.startsWith('attributes.')) return known
  const path = name.split('.').slice(1)
  const field = { sql: attributeFor(rights, path), kind: 'json' } as const
  return name === worstAlarm ? { ...field, present: hasAlarms } : field
}

const worstAlarm = 'attributes.alarms_max_severity'
/** Devices with open alarms, which have an index. */
const hasAlarms = sql<boolean>`device.attributes ? 'alarms_max_severity'`
