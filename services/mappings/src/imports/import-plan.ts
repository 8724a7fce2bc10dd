import { can } from '@longreach/authorization/can'
import { AppError, failure } from '@longreach/kit/errors'
import { checkAdmission } from '@longreach/kit/admission-check'
import type { OrgCtx } from '@longreach/kit/service'
import { mapInSlices } from '@longreach/kit/time-slices'
import { firstTwice, readTableBeside, type Table } from '@longreach/kit/table-text'
import { sql } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { readAttribute } from '../devices/attribute-values.ts'
import { mostImportLines } from './import-contract.ts'
import { type Known, type Mapping, linePlanner, splitNames } from './import-rules.ts'
import { mappingOf } from './import-table.ts'

type Asked = {
  csv: string
  separator?: string | undefined
  mapping?: Record<string, string> | undefined
}

/** Plan of an import of devices into the organization of the call: columns and the result of each line. */
export async function planImport(deps: MappingsDeps, ctx: OrgCtx, asked: Asked) {
  const table = await readTableBeside(asked.csv, asked.separator)
  if (typeof table === 'string') throw unreadable(table)
  const mapping = mappingOf(table.headers, asked.mapping)
  const targets = [...mapping.values()].filter((target) => target !== '')
  const twice = firstTwice(targets)
  if (twice !== undefined) {
    throw unreadable(`Two columns cannot both hold ${twice}`, table, { fault: 'column_twice' })
  }
  if (!targets.includes('label')) {
    throw unreadable('No column is named like the name of a device; say which one it is', table, {
      fault: 'device_columns',
    })
  }
  if (table.rows.length > mostImportLines) {
    throw unreadable(`A table has at most ${mostImportLines} lines; cut it into several`, table)
  }
  const plan = linePlanner(table, mapping, await loadKnown(deps, ctx, { table, mapping }))
  const lines = await mapInSlices(table.rows, plan)
  return { table, mapping, lines }
}

function unreadable(message: string, table?: Table, more: { fault?: string } = {}) {
  const seen = table && { headers: table.headers, separator: table.separator }
  return failure(mappingsContract, 'unreadable_table', { field: 'csv', message, ...seen, ...more })
}

type Read = { table: Table; mapping: Mapping }

/** The different texts of a column; of one that holds several names, each of them. */
function textsOf({ table, mapping }: Read, target: string, split = false) {
  const header = [...mapping].find(([, one]) => one === target)?.[0]
  if (header === undefined) return []
  const place = table.headers.indexOf(header)
  const cells = table.rows.map(({ cells: all }) => all[place] ?? '')
  return [...new Set(split ? cells.flatMap(splitNames) : cells)].filter((text) => text !== '')
}

async function loadKnown(deps: MappingsDeps, ctx: OrgCtx, read: Read): Promise<Known> {
  const home = ctx.organization.resourceId
  const groups = textsOf(read, 'groups', true)
  const organizations = textsOf(read, 'organization')
  if (Math.max(groups.length, organizations.length) > 2_000) {
    throw unreadable('A table names at most 2000 groups and organizations', read.table)
  }
  const named = groups.length + organizations.length > 0
  const places = named
    ? await deps.clients.core.findPlaces({
        body: { ...toImportAsking(ctx), groups, organizations },
      })
    : { groups: [], organizations: [] }
  const called = organizationsByName(home, places.organizations)
  const used = [
    ...new Set([home, ...organizations.flatMap((one) => called.get(one.toLowerCase()) ?? [])]),
  ]
  return {
    home,
    groups: new Map(places.groups.map((group) => [group.name.toLowerCase(), group])),
    organizations: called,
    allowedIn: await allowedAmong(deps, ctx, used),
    preset: await presetsNamed(deps, used, textsOf(read, 'preset')),
    present: await labelsPresent(deps, used, textsOf(read, 'label')),
    attribute,
  }
}

/** Caller of mappings in the form in which core looks up their rights. */
export const toImportAsking = ({ caller, organization, ip }: OrgCtx) => ({
  caller,
  organization: organization.resourceId,
  subtree: false,
  ip,
})

type Organization = { resourceId: string; name: string; label: string }

/** A path from the root or from here means one organization; a name or label perhaps several. */
function organizationsByName(home: string, all: readonly Organization[]) {
  const called = new Map<string, string[]>()
  const call = (name: string, resourceId: string) => {
    const before = called.get(name.toLowerCase()) ?? []
    if (!before.includes(resourceId)) called.set(name.toLowerCase(), [...before, resourceId])
  }
  for (const { resourceId, name, label } of all) {
    call(name, resourceId)
    call(label, resourceId)
  }
  for (const { resourceId } of all) {
    called.set(resourceId.slice(home.length + 1).toLowerCase(), [resourceId])
    called.set(resourceId.toLowerCase(), [resourceId])
  }
  return called
}

async function allowedAmong(deps: MappingsDeps, ctx: OrgCtx, organizations: readonly string[]) {
  const allowed = new Set<string>()
  for (const organization of organizations) {
    if (await contextIn(deps, ctx, organization)) allowed.add(organization)
  }
  return allowed
}

/** The same call in an organization at or below; undefined where the caller may not make devices. */
export async function contextIn(
  { admit }: MappingsDeps,
  ctx: OrgCtx,
  organization: string,
): Promise<OrgCtx | undefined> {
  const home = organization === ctx.organization.resourceId
  const admission = home ? ctx : await admit(ctx.caller, organization)
  if (!admission || !can(admission.capability, 'devices', 'create')) return undefined
  try {
    // A job has no address: the one that asked for it was looked at when it was planned.
    if (ctx.ip !== '') checkAdmission(ctx.caller, ctx.ip, admission.organization)
  } catch (error) {
    if (error instanceof AppError) return undefined // its limits by address or second factor
    throw error
  }
  return { ...ctx, ...admission, signal: ctx.signal, subtree: false }
}

async function presetsNamed(
  { db }: MappingsDeps,
  organizations: readonly string[],
  named: readonly string[],
): Promise<Known['preset']> {
  if (named.length === 0) return () => undefined
  const around = [...new Set(organizations.flatMap(upwards))]
  const rows = await db
    .selectFrom('preset')
    .select(['id', 'name', 'organization', 'sub_orgs_enabled_to_view as shared'])
    .where('organization', 'in', around)
    .where(
      sql<boolean>`(preset.id = any(${[...named]}::text[]) or preset.name = any(${[...named]}::text[]))`,
    )
    // Of several of a name, for versions of their model, the newest counts.
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const places = new Map<string, { id: string; shared: boolean }>()
  for (const { id, name, organization, shared } of rows) {
    places.set(`${organization}\n${id}`, { id, shared })
    places.set(`${organization}\n${name}`, { id, shared })
  }
  return (organization, text) => {
    for (const place of upwards(organization)) {
      const found = places.get(`${place}\n${text}`)
      if (found && (place === organization || found.shared)) return found.id
    }
    return undefined
  }
}

/** The organization and those above it, the nearest first. */
const upwards = (organization: string) => {
  const parts = organization.split('.')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('.'))
}

async function labelsPresent(
  { db }: MappingsDeps,
  organizations: readonly string[],
  labels: readonly string[],
): Promise<Known['present']> {
  const rows = await db
    .selectFrom('device')
    .select(['organization', 'label'])
    .where('organization', 'in', [...organizations])
    .where(sql<boolean>`label = any(${[...labels]}::text[])`)
    .where('deleted_at', 'is', null)
    .execute()
  const there = new Set(rows.map(({ organization, label }) => `${organization}\n${label}`))
  return (organization, label) => there.has(`${organization}\n${label}`)
}

function attribute(key: string, value: unknown): Record<string, unknown> | string {
  try {
    return readAttribute({ key, value })
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const { message } = error.details
    return typeof message === 'string' ? message : error.code
  }
}
