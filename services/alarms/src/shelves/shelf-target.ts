import { can, isInPolicyGroups } from '@longreach/authorization/can'
import { canInCall, rightsIn, seesAllDevices } from '@longreach/authorization/device-visibility'
import type { Capability } from '@longreach/authorization/capability'
import { isWithin, reachOf } from '@longreach/authorization/reach'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { sql } from 'kysely'
import { alarmsContract } from '../contract.ts'
import type { AlarmsDeps } from '../deps.ts'
import { fetchDevice } from '../devices/device-facts.ts'
import { rulesInSight } from '../rules/rule-sight.ts'
import { findRule } from '../rules/rule-store.ts'
import { devicesOfCall, occurrences, seesAllValues, type Visible } from '../search/visible.ts'
import type { ShelfTarget } from './contract.ts'
import type { ShelfRow } from './shelf-store.ts'

type Deps = Pick<AlarmsDeps, 'db' | 'clients'>

/** Target of a shelf with the organizations that it reaches. */
export type Targeted = Pick<
  ShelfRow,
  'org' | 'below' | 'closed' | 'target_type' | 'target_id' | 'device_id' | 'source' | 'label'
> & {
  /** Class of the alarms, where they have only one. */
  class?: string
}

type Asked = { type: ShelfTarget; id: string }

/** Checks that the caller may see and shelve a target; 404 for one of other organizations. */
export function targetOf(
  deps: Deps,
  ctx: OrgCtx,
  visible: Visible,
  asked: Asked,
): Promise<Targeted> {
  switch (asked.type) {
    case 'alarm':
      return alarmTarget(deps, visible, asked.id)
    case 'device':
      return deviceTarget(deps, ctx, asked.id)
    case 'rule':
      return ruleTarget(deps, ctx, asked.id)
    case 'group':
      return groupTarget(deps, ctx, asked.id)
    case 'class':
      return Promise.resolve({ ...wideTarget(ctx, asked), label: asked.id, class: asked.id })
    case 'organization':
      return Promise.resolve(organizationTarget(ctx, asked))
  }
}

async function alarmTarget(deps: Pick<Deps, 'db'>, visible: Visible, id: string) {
  const [found] = await alarmTargets(deps, visible, [id])
  if (!found) throw noTarget('alarm', id)
  return found.target
}

type AlarmRow = {
  id: string
  org: string
  device_id: string
  source: string
  name: string
  label: string
  class: string
}

/** Targets of alarms that the caller may see; those that belong to one alarm of a device are one. */
export async function alarmTargets(
  { db }: Pick<Deps, 'db'>,
  visible: Visible,
  ids: readonly string[],
) {
  const { rows } =
    await sql<AlarmRow>`select o.id, o.org, o.device_id, o.source, o.name, o.class, d.label
    from ${occurrences} where o.id = any(${ids}::text[]) and ${visible.rows}`.execute(db)
  return rows.map(({ id, org, device_id, source, name, label, class: className }) => ({
    id,
    target: {
      org,
      below: false,
      closed: [],
      device_id,
      source,
      target_type: 'alarm' as const,
      target_id: `${device_id} ${source}`,
      label: `${label}: ${name}`,
      class: className,
    } satisfies Targeted,
  }))
}

async function deviceTarget(deps: Deps, ctx: OrgCtx, id: string): Promise<Targeted> {
  const device = await fetchDevice(deps, id)
  if (!device || !canInCall(ctx, 'read', device)) throw noTarget('device', id)
  const rights = rightsIn(ctx, device.org)
  requireAck(rights)
  if (!seesAllValues(rights, device.groups)) throw tooWide()
  const { org, label } = device
  const place = { org, below: false, closed: [], device_id: id, source: null }
  return { ...place, target_type: 'device', target_id: id, label }
}

async function ruleTarget({ db }: Deps, ctx: OrgCtx, id: string): Promise<Targeted> {
  const rule = isUuid(id) ? await findRule(db, rulesInSight(ctx), id) : undefined
  if (!rule) throw noTarget('rule', id)
  const { class: name } = rule.rule as { class?: string } // written by alarms, in the form of `Rule`
  const target = wideTarget(ctx, { type: 'rule', id: rule.id })
  return { ...target, label: rule.name, ...(name && { class: name }) }
}

async function groupTarget({ db }: Deps, ctx: OrgCtx, id: string): Promise<Targeted> {
  const group = /^[1-9][0-9]{0,8}$/.test(id) ? Number(id) : undefined
  if (group === undefined) throw noTarget('group', id)
  const { rows } = await sql`select from alarms.device d
    where d.groups @> array[${group}::int] and ${devicesOfCall({ ...ctx, subtree: ctx.below }, 'd.org')} limit 1`.execute(
    db,
  )
  if (rows.length === 0) throw noTarget('group', id)
  const place = reachOfShelf(ctx, ctx.organization.resourceId, seesGroup(ctx.capability, group))
  return { ...place, ...named('group', id), label: '' }
}

/** True for rights on all values of the devices of a group. */
const seesGroup = (capability: Capability, group: number) =>
  seesAllValues(capability, [group]) && isInPolicyGroups(capability, [group])

function organizationTarget(ctx: OrgCtx, { id }: Asked): Targeted {
  if (!isWithin(reachOf(ctx), id)) throw noTarget('organization', id)
  requireRight(rightsIn(ctx, id), 'update')
  const place = reachOfShelf(ctx, id, isFree(rightsIn(ctx, id)))
  return { ...place, ...named('organization', id), label: id }
}

/** Target that alarms of any device may have, for callers whose rights have no limits. */
function wideTarget(ctx: OrgCtx, { type, id }: Asked) {
  const place = reachOfShelf(ctx, ctx.organization.resourceId, isFree(ctx.capability))
  return { ...place, ...named(type, id) }
}

const named = (target_type: ShelfTarget, target_id: string) => ({
  target_type,
  target_id,
  device_id: null,
  source: null,
})

/** True for rights on all devices and paths. */
export const isFree = (capability: Capability) =>
  seesAllDevices(capability) && seesAllValues(capability, [])

/** Organization of a shelf; it reaches down where the caller's rights do. */
function reachOfShelf(ctx: OrgCtx, org: string, isAllowed: boolean) {
  const rights = rightsIn(ctx, org)
  requireAck(rights)
  if (!isAllowed) throw tooWide()
  const down = ctx.capabilityBelow ?? ctx.capability
  const below = ctx.below && can(down, 'alarms', 'ack') && isFree(down)
  const closed = below ? (ctx.closed ?? []).filter((one) => one.startsWith(`${org}.`)) : []
  return { org, below, closed }
}

const requireAck = (capability: Capability) => requireRight(capability, 'ack')

/** Checks a right on alarms; 403 names the one that is missing. */
export function requireRight(capability: Capability, action: 'ack' | 'update') {
  if (can(capability, 'alarms', action)) return
  throw new AppError(403, 'auth.missing_permission', { permission: `alarms:${action}` })
}

export const tooWide = () =>
  failure(alarmsContract, 'shelf_too_wide', {
    message:
      'Your rights are limited to some devices or paths. Shelve single alarms, or a device of which you see everything.',
    field: 'target',
  })

const isUuid = (text: string) => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const noTarget = (type: ShelfTarget, id: string) =>
  failure(alarmsContract, 'not_found', {
    message: `There is no such ${type} here: ${id}. It may have been deleted, or belong to another organization.`,
    field: 'target.id',
  })
