import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { MappingsDb } from '../database.ts'
import { stateCondition } from '../search/device-states.ts'
import type { FleetCounts } from './fleet-contract.ts'

const mostOrganizations = 50
const mostFailed = 10

type CountRow = FleetCounts & { organization: string | null; organizations: number }

/** Counts of the whole (organization null), and of the organizations with most devices offline. */
export async function countsByOrganization(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const { rows } = await sql<CountRow>`
    with counted as materialized (
      select device.organization, count(*)::int as total,
        ${countState('online')} as online,
        ${countState('offline')} as offline,
        ${countState('never')} as never,
        ${countState('withoutPreset')} as "withoutPreset",
        ${countState('pending')} as "configurationPending",
        ${countState('error')} as "configurationFailed"
      from mappings.device where ${where} group by device.organization
    )
    (select null as organization, count(*)::int as organizations, ${sums} from counted
      having count(*) > 0)
    union all
    (select organization, 1 as organizations, total, online, offline, never, "withoutPreset",
        "configurationPending", "configurationFailed"
      from counted order by offline desc, total desc, organization limit ${mostOrganizations})`.execute(
    db,
  )
  return rows
}

const countState = (state: Parameters<typeof stateCondition>[0]) =>
  sql`(count(*) filter (where ${stateCondition(state)}))::int`

const names = [
  'total',
  'online',
  'offline',
  'never',
  'withoutPreset',
  'configurationPending',
  'configurationFailed',
]
const sums = sql.join(names.map((name) => sql`sum(${sql.ref(name)})::int as ${sql.ref(name)}`))

type Failed = { deviceId: string; label: string; orgResourceId: string; error: string }

/** The first devices that refused their configuration. */
export async function failedDevices(db: Kysely<MappingsDb>, where: RawBuilder<boolean>) {
  const { rows } = await sql<Failed>`
    select device.id as "deviceId", device.label, device.organization as "orgResourceId",
      left(device.configuration_error, 500) as error
    from mappings.device where ${where} and device.configuration_failed
    order by device.label collate mappings.natural_order, device.id limit ${mostFailed}`.execute(db)
  return rows
}
