import { sql } from 'kysely'
import type { Field } from '../expression-sql.ts'

const text = (column: string): Field => ({ sql: sql.ref(column), kind: 'text' })
const flag = (column: string): Field => ({ sql: sql.ref(column), kind: 'boolean' })
const time = (column: string): Field => ({ sql: sql.ref(column), kind: 'time' })

const fields = new Map<string, Field>([
  ['id', text('device.id')],
  ['deviceId', text('device.id')],
  ['logicalId', text('device.id')],
  ['realmId', text('device.realm')],
  ['orgResourceId', text('device.organization')],
  ['name', text('device.label')],
  ['label', text('device.label')],
  ['description', text('device.description')],
  ['serialNumber', text('device.serial_number')],
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
  ['tags', { sql: sql.ref('device.tags'), kind: 'texts' }],
])

/** A field of a device by its name on the wire; `attributes.site.name` reaches into the attributes. */
export function deviceField(name: string): Field | undefined {
  const known = fields.get(name)
  if (known || !name.startsWith('attributes.')) return known
  const path = name.split('.').slice(1)
  return { sql: sql`(device.attributes #> ${path}::text[])`, kind: 'json' }
}
