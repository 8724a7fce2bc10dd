import type { Action as PermittedAction, Resource } from '@longreach/authorization/permissions'
import type { ActionType, AnyAction } from './action-contract.ts'
import type { TriggerData } from './contract.ts'

/** All actions of a trigger: those of the wire, then its own. */
export const actionsOf = ({ actions, longreach }: TriggerData): AnyAction[] => [
  ...actions,
  ...longreach.actions,
]

/** Place of an action in a posted trigger. */
export const placeOf = ({ actions }: TriggerData, index: number) =>
  index < actions.length ? `actions.${index}` : `longreach.actions.${index - actions.length}`

/** Permissions that who saves a trigger has to have, and its owner at each run. */
export const permissionOf = {
  EMAIL_ACTION: 'notifications:update',
  WEBHOOK_ACTION: 'notifications:update',
  TELEGRAM_ACTION: 'notifications:update',
  TEAMS_ACTION: 'notifications:update',
  ATTRIBUTE_ACTION: 'devices:update',
  WRITE: 'devices:update',
  ALARM: 'alarms:create',
  SHARE_DASHBOARD: 'dashboards:update',
} as const satisfies Record<ActionType, string>
export type Needed = (typeof permissionOf)[ActionType] | 'devices:read'

const parts: Record<Needed, readonly [Resource, PermittedAction]> = {
  'devices:read': ['devices', 'read'],
  'devices:update': ['devices', 'update'],
  'notifications:update': ['notifications', 'update'],
  'alarms:create': ['alarms', 'create'],
  'dashboards:update': ['dashboards', 'update'],
}

/** Resource type and action of a permission. */
export const partsOf = (permission: Needed) => parts[permission]

/** Days of the week on which an action runs; empty: every day. */
export function daysOf(action: AnyAction): readonly number[] {
  switch (action.type) {
    case 'EMAIL_ACTION':
      return action.emailConfig.xdays ?? []
    case 'WEBHOOK_ACTION':
      return action.webhookConfig.xdays ?? []
    case 'TELEGRAM_ACTION':
      return action.telegramConfig.xdays ?? []
    case 'TEAMS_ACTION':
      return action.teamsConfig.xdays ?? []
    case 'ATTRIBUTE_ACTION':
      return []
    default:
      return action.xdays ?? []
  }
}

/** Addresses of a list, or of a text with commas or semicolons. */
export const addressesOf = (given: string | readonly string[] | null | undefined) =>
  (typeof given === 'string' ? given.split(/[,;]/) : (given ?? []))
    .map((one) => one.trim())
    .filter((one) => one !== '')

/** Name and value of an attribute; without a value it takes the one that fired. */
export const attributeOf = (
  attribute: Extract<AnyAction, { type: 'ATTRIBUTE_ACTION' }>['attribute'],
) => (typeof attribute === 'string' ? { name: attribute, value: undefined } : attribute)
