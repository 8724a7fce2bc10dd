import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { type RawBuilder, sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { matchesSql, type SqlField } from '@longreach/search-expression/expression-sql'
import { plainPattern } from '@longreach/search-expression/text-pattern'
import { conditionOf, equalsValue } from '../search-condition.ts'
import { isWithin, reachOf } from '@longreach/authorization/reach'
import type { Rights } from '../reach.ts'
import { deviceField } from './device-fields.ts'
import { placeCondition, type PlaceFilters } from './device-place.ts'
import { stateCondition } from './device-states.ts'
import { hasWords, textSearch } from './device-text.ts'
import type { DeviceState } from './state-contract.ts'

/** Filters of a list or search of devices, from a query string, a body or a segment. */
export type DeviceFilters = PlaceFilters & {
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
  state?: DeviceState | undefined
}

type Asking = Pick<MappingsDeps, 'db' | 'clients'>

/** SQL conditions of the filters, without the caller's rights. */
export async function conditionsOf(
  deps: Asking,
  ctx: OrgCtx,
  filters: DeviceFilters,
): Promise<RawBuilder<boolean>[]> {
  const { search = '', expression, deviceId, deviceIds, connected, presetId, state } = filters
  const words = await textSearch(deps, ctx, search)
  return [
    words.length > 0 ? hasWords(words) : undefined,
    expression?.trim() ? conditionOf(expression, (name) => deviceField(ctx, name)) : undefined,
    deviceId ? sql<boolean>`device.id = ${deviceId}` : undefined,
    deviceIds ? sql<boolean>`device.id = any(${deviceIds}::text[])` : undefined,
    connected === undefined ? undefined : sql<boolean>`device.connected = ${connected}`,
    presetId ? sql<boolean>`device.preset_id = ${presetId}` : undefined,
    state ? stateCondition(state) : undefined,
    placeCondition(filters),
    organizationsOf(ctx, filters),
    fieldsOf(ctx, filters),
    ...(filters.existingFields ?? []).map((name) => exists(ctx, name)),
  ].filter((one) => one !== undefined)
}

/** Organizations outside of the call's own are not found rather than forbidden: they add nothing. */
function organizationsOf(ctx: OrgCtx, { organizations, scopedOrganization }: DeviceFilters) {
  const named = organizations ?? (scopedOrganization ? [scopedOrganization] : undefined)
  if (!named) return undefined
  const reach = reachOf(ctx)
  const seen = named.filter((one) => isWithin(reach, one))
  return sql<boolean>`device.organization = any(${seen}::text[])`
}

function fieldsOf(rights: Rights, filters: DeviceFilters) {
  const { searchField, searchValue, searchFields, searchValues, matchAny } = filters
  const names = searchFields ?? (searchField ? [searchField] : [])
  const values = searchValues ?? (searchValue === undefined ? [] : [searchValue])
  if (names.length === 0 || values.length === 0) return undefined
  const parts = names.map((name, index) => {
    // One value for several fields is looked for in each of them.
    const value = values.length === 1 ? values[0] : values[index]
    return value === undefined
      ? sql<boolean>`false`
      : holds(requireField(rights, name), name, value)
  })
  const any = matchAny === true || (values.length === 1 && names.length > 1)
  return sql<boolean>`(${sql.join(parts, any ? sql` or ` : sql` and `)})`
}

function holds(field: SqlField, name: string, value: string): RawBuilder<boolean> {
  if (field.kind === 'boolean') return equalsValue(field, value === 'true' || value === '1')
  return name.endsWith('.keyword')
    ? equalsValue(exact(field), value)
    : matchesSql(field, plainPattern(value))
}

/** Lists of texts and attributes are compared as such; everything else by its text. */
const exact = (field: SqlField) =>
  field.kind === 'texts' || field.kind === 'numbers' || field.kind === 'json'
    ? field
    : { sql: sql`${field.sql}::text`, kind: 'text' as const }

const exists = (rights: Rights, name: string): RawBuilder<boolean> =>
  sql<boolean>`(${requireField(rights, name).sql} is not null)`

/** The field of this name as the caller sees it; 400 for one that devices do not have. */
export function requireField(rights: Rights, name: string) {
  const field = deviceField(rights, name.replace(/\.keyword$/, ''))
  if (field) return field
  throw failure(mappingsContract, 'bad_expression', {
    message: `Devices have no field ${name}.`,
    field: name,
    fault: 'no_device_field',
    name,
  })
}
