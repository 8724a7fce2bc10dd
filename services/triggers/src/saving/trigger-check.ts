import { can } from '@longreach/authorization/can'
import { canInSight } from '@longreach/authorization/device-visibility'
import { isTimezone } from '@longreach/calendar/zone-offset'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import { readPolicy, type Policy } from '@longreach/rules/policy'
import { triggersContract } from '../contract.ts'
import type { TriggersDeps } from '../deps.ts'
import { fieldOf, outgoingOf } from './outgoing-rules.ts'
import { actionsOf, type Needed, partsOf, permissionOf, placeOf } from './action-rules.ts'
import type { PostedTrigger, TriggerData } from './contract.ts'
import { wayOutOf } from './fault-words.ts'
import { type ActionSecrets, missingSecrets } from './secret-rules.ts'

type TriggerIssue = {
  place: string
  code: string
  params: Record<string, string | number>
  message?: string
}

const issue = (place: string, code: string, message: string): TriggerIssue => ({
  place,
  code,
  params: {},
  message,
})

type Checked = { issues: TriggerIssue[]; policy?: Policy }
type Given = {
  data: TriggerData
  secrets: ActionSecrets
  deviceGroups: PostedTrigger['deviceGroups']
}

/** All faults of a trigger that is posted to an organization. */
export async function checkTrigger(
  deps: TriggersDeps,
  ctx: OrgCtx,
  { data, secrets, deviceGroups }: Given,
): Promise<Checked> {
  const read = readPolicy(data.policy)
  const issues: TriggerIssue[] = read.ok
    ? []
    : read.issues.map(({ place, code, params }) => ({
        place,
        code,
        params: { ...params },
        message: wayOutOf(code, params),
      }))
  issues.push(...zoneIssues(data), ...actionIssues(data, secrets))
  issues.push(...(await groupIssues(deps, ctx, deviceGroups)))
  issues.push(...(await messageIssues(deps, data, secrets)))
  issues.push(...(await deviceIssues(deps, ctx, data)))
  return read.ok && issues.length === 0 ? { issues, policy: read.policy } : { issues }
}

const zoneIssues = ({ timezone }: TriggerData) =>
  typeof timezone === 'string' && timezone !== '' && !isTimezone(timezone)
    ? [issue('timezone', 'unknown_zone', 'must be a time zone such as Europe/Berlin')]
    : []

function actionIssues(data: TriggerData, secrets: ActionSecrets): TriggerIssue[] {
  const actions = actionsOf(data)
  const uuids = actions.map(({ uuid }) => uuid)
  return [
    ...actions.flatMap(({ type, uuid }, index) => {
      const place = placeOf(data, index)
      if (type === 'SHARE_DASHBOARD') {
        const message = 'dashboards are not part of this version; take the action out'
        return [issue(`${place}.type`, 'not_offered', message)]
      }
      if (uuids.indexOf(uuid) < index) {
        return [issue(`${place}.uuid`, 'not_unique', 'another action has this uuid')]
      }
      return []
    }),
    ...missingSecrets(data, secrets).map(({ index, field }) =>
      issue(`${placeOf(data, index)}.${field}`, 'secret_missing', `${field} is missing`),
    ),
  ]
}

/** Device groups that the organization does not have. */
async function groupIssues(
  { clients }: TriggersDeps,
  ctx: OrgCtx,
  groups: PostedTrigger['deviceGroups'],
) {
  if (groups.length === 0) return []
  const { caller, organization, subtree, ip } = ctx
  const groupIds = groups.map(Number)
  const body = { caller, organization: organization.resourceId, subtree, ip, groupIds }
  const found = new Set((await clients.core.findPlaces({ body })).groupIds)
  return groupIds.flatMap((group, index) =>
    found.has(group)
      ? []
      : [issue(`deviceGroups.${index}`, 'unknown_group', 'this device group is not there')],
  )
}

/** Addresses that may not be called, and templates with faults. */
async function messageIssues({ clients }: TriggersDeps, data: TriggerData, secrets: ActionSecrets) {
  const messages = actionsOf(data).flatMap((action, index) => {
    const outgoing = outgoingOf(action, secrets[action.uuid ?? ''] ?? {})
    const isWhole = !(outgoing?.kind === 'teams' && outgoing.endpoint === '')
    return outgoing && isWhole ? [{ action, index, outgoing }] : []
  })
  if (messages.length === 0) return []
  const { faults } = await clients.notifications.checkOutgoing({
    body: { outgoing: messages.map(({ outgoing }) => outgoing) },
  })
  return messages.flatMap(({ action, index }, at) =>
    (faults[at] ?? []).map(({ field, code, message }) =>
      issue(`${placeOf(data, index)}.${fieldOf(action, field)}`, code, message),
    ),
  )
}

/** Devices of writes that the caller does not see. */
async function deviceIssues({ clients }: TriggersDeps, ctx: OrgCtx, data: TriggerData) {
  const named = actionsOf(data).flatMap((action, index) =>
    action.type === 'WRITE' && action.deviceId !== undefined
      ? [{ index, id: action.deviceId }]
      : [],
  )
  if (named.length === 0) return []
  const places = await Promise.all(named.map(({ id }) => placeOfDevice(clients.mappings, id)))
  return named.flatMap(({ index }, at) => {
    const place = places[at]
    return place && canInSight(ctx, 'read', place)
      ? []
      : [issue(`${placeOf(data, index)}.deviceId`, 'unknown_device', 'this device is not there')]
  })
}

/** Name, organization and groups of a device; undefined for one that is not there. */
export async function placeOfDevice(
  mappings: TriggersDeps['clients']['mappings'],
  deviceId: string,
) {
  try {
    const {
      orgResourceId: org,
      groups,
      label,
    } = await mappings.deviceForPlatform({
      params: { deviceId },
    })
    return { org, groups, label }
  } catch (error) {
    if (error instanceof AppError && error.status === 404) return undefined
    throw error
  }
}

/** Refuses a trigger that would do what the caller may not do. */
export function requireOwnRights(ctx: OrgCtx, data: TriggerData) {
  const needed = [
    { place: 'policy', permission: 'devices:read' as const },
    ...actionsOf(data).map(({ type }, index) => ({
      place: placeOf(data, index),
      permission: permissionOf[type],
    })),
  ]
  const missing = needed.filter(({ permission }) => !hasRight(ctx, permission))
  if (missing.length === 0) return
  const names = [...new Set(missing.map(({ permission }) => permission))].join(', ')
  throw failure(triggersContract, 'beyond_own_rights', {
    message: `A trigger acts with your rights, and you do not have ${names}. Take these actions out, or ask an administrator.`,
    missing,
  })
}

const hasRight = ({ capability }: Pick<OrgCtx, 'capability'>, permission: Needed) =>
  can(capability, ...partsOf(permission))
