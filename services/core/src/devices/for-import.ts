import { can, canDevice } from '@longreach/authorization/can'
import type { Action } from '@longreach/authorization/permissions'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publishAll } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { placeDevice, publishAllGroups, publishGroups } from '../policies/device-groups.ts'
import { placeNewDevices } from '../policies/device-placing.ts'
import { requireStandardPolicy } from '../policies/policy-access.ts'
import { groupsOfDevice, groupsOfDevices, insertPolicyDevices } from '../policies/policy-store.ts'
import { actionsOfPolicy } from '../policies/policy-use-store.ts'
import type { forImportEndpoints } from './for-import-contract.ts'
import { contextOfAsking, missingPermission } from './for-mappings.ts'

type ForImport = Pick<Handlers<typeof coreContract>, keyof typeof forImportEndpoints>

/** Handlers for the imports of mappings: groups and organizations by name, and new devices. */
export const forImport = (deps: CoreDeps): ForImport => ({
  importPlaces: async ({ body: { groups, organizations, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    return {
      groups: await groupsNamed(deps.db, ctx, groups),
      organizations: await organizationsNamed(deps.db, ctx, organizations),
    }
  },

  placeMade: async ({ params: { device }, body }, now) => {
    const { label, orgResourceId, groups, ...asking } = body
    const ctx = await contextOfAsking(deps, asking, now)
    return deps.db.transaction().execute(async (tx) => {
      await placeDevice(tx, { deviceId: device, label, orgResourceId })
      for (const group of groups) await putInto(tx, ctx, { devices: [device], group })
      if (groups.length > 0) await publishGroups(tx, device)
      return groupsOfDevice(tx, device)
    })
  },

  placeAllMade: async ({ body: { devices, ...asking } }, now) => {
    const ctx = await contextOfAsking(deps, asking, now)
    return deps.db.transaction().execute(async (tx) => {
      const now = await placeAll(tx, ctx, devices)
      return devices.map(({ device }) => ({ device, groups: now.get(device) ?? [] }))
    })
  },
})

type Db = Kysely<CoreDb>
type Made = { device: string; label: string; orgResourceId: string; groups: number[] }

/** Put devices that were made where they belong: all of them, or none. */
async function placeAll(tx: Db, ctx: OrgCtx, devices: readonly Made[]) {
  for (const [orgResourceId, some] of Map.groupBy(devices, (one) => one.orgResourceId)) {
    const placed = some.map(({ device: deviceId, label }) => ({ deviceId, label, orgResourceId }))
    await placeNewDevices(tx, orgResourceId, placed)
  }
  const groups = [...new Set(devices.flatMap((one) => one.groups))].toSorted((a, b) => a - b)
  for (const group of groups) {
    const ids = devices.flatMap((one) => (one.groups.includes(group) ? [one.device] : []))
    await putInto(tx, ctx, { devices: ids, group })
  }
  return publishAllGroups(
    tx,
    devices.map(({ device }) => device),
  )
}

async function putInto(
  tx: Db,
  ctx: OrgCtx,
  { devices, group }: { devices: string[]; group: number },
) {
  const { id, resourceId } = ctx.organization
  const { name } = await requireStandardPolicy(tx, id, group)
  if (!can(ctx.capability, 'devicegroups', 'update')) throw missingPermission('devicegroups:update')
  const others = await groupsOfDevices(tx, devices)
  const actions = await actionsOfPolicy(tx, group)
  if (!devices.every((device) => holdsAll(ctx, actions, [...(others.get(device) ?? []), group]))) {
    const message = `Roles of the device group "${name}" give rights that you do not have`
    throw failure(coreContract, 'beyond_own_rights', { message })
  }
  const come = await insertPolicyDevices(tx, group, devices)
  if (come.length === 0) return
  const what = { resource: 'devicegroups', action: 'update', id: group, label: name }
  await recordChange(tx, ctx, { ...what, after: { add: come } })
  await publishAll(tx, coreContract.events.permissionsChanged, [{ resourceId }])
}

const holdsAll = ({ capability }: OrgCtx, actions: readonly string[], groups: readonly number[]) =>
  actions.every((one) => canDevice(capability, one as Action, groups))

/** A group's roles may then be used on the device: nobody gives a right that they do not have there. */
// oxlint-disable-next-line max-params -- who puts what where
async function mayPutInto(tx: Db, ctx: OrgCtx, group: number, others: readonly number[]) {
  const actions = await actionsOfPolicy(tx, group)
  return holdsAll(ctx, actions, [...others, group])
}

async function groupsNamed(db: Db, ctx: OrgCtx, names: readonly string[]) {
  if (names.length === 0) return []
  const lower = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('security_policy')
    .select(['id', 'name'])
    .where('organization_id', '=', ctx.organization.id)
    .where('type', '=', 'STANDARD')
    .where(sql<boolean>`lower(name) = any(${lower}::text[])`)
    .execute()
  const all = await allDevicesOf(db, ctx.organization.id)
  const may = can(ctx.capability, 'devicegroups', 'update')
  const named = []
  for (const { id, name } of rows) {
    named.push({ id, name, allowed: may && (await mayPutInto(db, ctx, id, all)) })
  }
  return named
}

/** The groups that every device of the organization is in. */
async function allDevicesOf(db: Db, organizationId: number) {
  const rows = await db
    .selectFrom('security_policy as p')
    .innerJoin('organization_tree as t', 't.ancestor', 'p.organization_id')
    .select('p.id')
    .where('t.descendant', '=', organizationId)
    .where('p.type', '=', 'ALL_DEVICES')
    .execute()
  return rows.map(({ id }) => id)
}

async function organizationsNamed(db: Db, ctx: OrgCtx, names: readonly string[]) {
  if (names.length === 0) return []
  const { id, resourceId } = ctx.organization
  const lower = names.map((name) => name.toLowerCase())
  const rows = await db
    .selectFrom('organization as o')
    .innerJoin('organization_tree as t', 't.descendant', 'o.id')
    .select(['o.resource_id as resourceId', 'o.name', 'o.label'])
    .where('t.ancestor', '=', id)
    .where('o.status', '=', 'ACTIVE')
    .where(
      sql<boolean>`(lower(o.name) = any(${lower}::text[]) or lower(o.label) = any(${lower}::text[])
        or lower(o.resource_id) = any(${lower}::text[])
        or lower(substr(o.resource_id, ${resourceId.length + 2}::int)) = any(${lower}::text[]))`,
    )
    .limit(10_000)
    .execute()
  return rows
}
