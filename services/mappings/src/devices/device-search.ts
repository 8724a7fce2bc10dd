import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import { alike, conditionOf, equal, likePattern } from '../expression-sql.ts'
import { devicesFor, isWithin, reachOf } from '../reach.ts'
import { deviceField } from './device-fields.ts'

/** What a list or search of devices may ask for, from a query string or a body. */
export type DeviceFilters = {
  search?: string | undefined
  expression?: string | null | undefined
  deviceId?: string | undefined
  deviceIds?: string[] | undefined
  organizations?: string[] | undefined
  scopedOrganization?: string | undefined
  searchField?: string | undefined
  searchValue?: string | undefined
  searchFields?: string[] | undefined
  searchValues?: string[] | undefined
  matchAny?: boolean | undefined
  existingFields?: string[] | undefined
  connected?: boolean | undefined
  presetId?: string | undefined
}

/** The devices that the caller may read and that fit. */
export function devicesWhere(ctx: OrgCtx, filters: DeviceFilters): RawBuilder<boolean> {
  const parts = [devicesFor(ctx, 'read'), ...conditionsOf(ctx, filters)]
  return sql<boolean>`(${sql.join(parts, sql` and `)})`
}

function conditionsOf(ctx: OrgCtx, filters: DeviceFilters): RawBuilder<boolean>[] {
  const { search, expression, deviceId, deviceIds, connected, presetId } = filters
  return [
    search ? anywhere(search) : undefined,
    expression ? conditionOf(expression, deviceField) : undefined,
    deviceId ? sql<boolean>`device.id = ${deviceId}` : undefined,
    deviceIds ? sql<boolean>`device.id = any(${deviceIds}::text[])` : undefined,
    connected === undefined ? undefined : sql<boolean>`device.connected = ${connected}`,
    presetId ? sql<boolean>`device.preset_id = ${presetId}` : undefined,
    organizationsOf(ctx, filters),
    fieldsOf(filters),
    ...(filters.existingFields ?? []).map(exists),
  ].filter((one) => one !== undefined)
}

/** A text as a person types it: part of the label, or of the id or serial number. */
function anywhere(search: string): RawBuilder<boolean> {
  const pattern = likePattern(search)
  return sql<boolean>`(lower(device.label) like ${pattern}
    or lower(device.id) like ${pattern} or lower(device.serial_number) like ${pattern})`
}

/** Organizations outside of the call's own are not found rather than forbidden: they add nothing. */
function organizationsOf(ctx: OrgCtx, { organizations, scopedOrganization }: DeviceFilters) {
  const named = organizations ?? (scopedOrganization ? [scopedOrganization] : undefined)
  if (!named) return undefined
  const reach = reachOf(ctx)
  const seen = named.filter((one) => isWithin(reach, one))
  return sql<boolean>`device.organization = any(${seen}::text[])`
}

function fieldsOf({
  searchField,
  searchValue,
  searchFields,
  searchValues,
  matchAny,
}: DeviceFilters) {
  const names = searchFields ?? (searchField ? [searchField] : [])
  const values = searchValues ?? (searchValue === undefined ? [] : [searchValue])
  if (names.length === 0 || values.length === 0) return undefined
  const parts = names.map((name, index) => {
    // One value for several fields is looked for in each of them.
    const value = values.length === 1 ? values[0] : values[index]
    return value === undefined ? sql<boolean>`false` : holds(name, value)
  })
  const any = matchAny === true || (values.length === 1 && names.length > 1)
  return sql<boolean>`(${sql.join(parts, any ? sql` or ` : sql` and `)})`
}

function holds(name: string, value: string): RawBuilder<boolean> {
  const field = known(name)
  if (field.kind === 'boolean') return equal(field, value === 'true' || value === '1')
  return name.endsWith('.keyword') ? equal({ ...field, kind: 'text' }, value) : alike(field, value)
}

const exists = (name: string): RawBuilder<boolean> => sql<boolean>`(${known(name).sql} is not null)`

function known(name: string) {
  const field = deviceField(name.replace(/\.keyword$/, ''))
  if (field) return field
  throw failure(mappingsContract, 'bad_expression', {
    message: `Devices have no field ${name}.`,
    field: name,
  })
}

const sortable = new Map([
  ['name', sql`lower(device.label)`],
  ['label', sql`lower(device.label)`],
  ['creationDate', sql`device.created_at`],
  ['updatedAt', sql`device.updated_at`],
  ['connected', sql`device.connected`],
  ['lastConnUpdateAt', sql`device.last_connection_at`],
  ['lastConfigUpdateAt', sql`device.last_configuration_at`],
  ['presetName', sql`lower(preset.name)`],
  ['modelName', sql`lower(preset.model_name)`],
  ['serialNumber', sql`device.serial_number`],
  ['orgResourceId', sql`device.organization`],
  ['deviceId', sql`device.id`],
])

export function orderOf(orderBy = 'name'): RawBuilder<unknown> {
  const order = sortable.get(orderBy)
  if (order) return order
  throw failure(mappingsContract, 'bad_order', {
    message: `Devices cannot be ordered by ${orderBy}; use one of ${[...sortable.keys()].join(', ')}.`,
    field: 'orderBy',
  })
}
