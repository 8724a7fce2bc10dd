import { createHash } from 'node:crypto'
import { actions, type Permission, resources } from '@longreach/authorization/permissions'
import { administratorRole, ownerRole } from '../access/administering-rules.ts'
import type { RoleRule } from './role-contract.ts'
import { rulesOf } from './role-rules.ts'

/** Names of the roles of a person who creates an organization. */
export const ownerRoles = [ownerRole, 'data_administrator']

const everything = resources.map((resource): RoleRule => ({
  resource,
  actions: [...actions],
  deviceGroup: null,
  vpnName: null,
}))
const allButDeletingOrganizations = everything.map((rule) =>
  rule.resource === 'organizations'
    ? { ...rule, actions: rule.actions.filter((action) => action !== 'delete') }
    : rule,
)
const look: Permission[] = [
  'portal:access',
  'organizations:read',
  'devices:read',
  'devicegroups:read',
  'models:read',
  'dashboards:read',
  'notifications:read',
  'alarms:read',
]

/** Role that organizations are created with and that Longreach maintains. */
export type ReadyMadeRole = {
  name: string
  label: string
  description: string
  type: 'APPLICATION' | 'DEVICE'
  inherit: boolean
  rules: RoleRule[]
}

/** Ready-made roles, in the order in which people see them. */
export const readyMadeRoles: readonly ReadyMadeRole[] = [
  {
    name: ownerRole,
    label: 'Owner',
    description: 'Everything, also deleting organizations, here and in every organization below',
    type: 'APPLICATION',
    inherit: true,
    rules: everything,
  },
  {
    name: administratorRole,
    label: 'Administrator',
    description: 'Everything but deleting organizations, here and below',
    type: 'APPLICATION',
    inherit: true,
    rules: allButDeletingOrganizations,
  },
  {
    name: 'data_administrator',
    label: 'Administrator of devices',
    description: 'Every device with its data, here and below',
    type: 'DEVICE',
    inherit: true,
    rules: everything.filter(({ resource }) =>
      ['devices', 'devicegroups', 'models', 'alarms', 'vpn'].includes(resource),
    ),
  },
  {
    name: 'app_operator',
    label: 'Operator',
    description: 'Works with the machines of this organization: values and set-points',
    type: 'APPLICATION',
    inherit: false,
    rules: rulesOf([...look, 'devices:update', 'devices:access', 'alarms:ack', 'alarms:reset']),
  },
  {
    name: 'app_viewer',
    label: 'Viewer',
    description: 'Sees the machines of this organization and their values',
    type: 'APPLICATION',
    inherit: false,
    rules: rulesOf(look),
  },
  {
    name: 'app_service-engineer',
    label: 'Service engineer',
    description: 'Sets up and serves machines, here and in every organization below',
    type: 'APPLICATION',
    inherit: true,
    rules: rulesOf([
      ...look,
      'devices:create',
      'devices:update',
      'devices:access',
      'devicegroups:create',
      'devicegroups:update',
      'models:create',
      'models:update',
      'dashboards:create',
      'dashboards:update',
      'notifications:create',
      'notifications:update',
      'alarms:create',
      'alarms:update',
      'alarms:delete',
      'alarms:ack',
      'alarms:reset',
      'alarms:clear',
      'vpn:read',
      'vpn:access',
    ]),
  },
  {
    name: 'app_dealer',
    label: 'Dealer',
    description: 'Makes client organizations and their first people, here and below',
    type: 'APPLICATION',
    inherit: true,
    rules: rulesOf([
      'portal:access',
      'organizations:read',
      'organizations:create',
      'organizations:update',
      'products:read',
      'products:create',
      'products:update',
      'users:read',
      'users:create',
      'users:update',
      'usergroups:read',
      'usergroups:update',
      'roles:read',
      'devices:read',
    ]),
  },
  {
    name: 'app_auditor',
    label: 'Auditor',
    description: 'Reads everything and the audit log, changes nothing, here and below',
    type: 'APPLICATION',
    inherit: true,
    rules: rulesOf([
      ...resources.map((resource): Permission => `${resource}:read`),
      'portal:access',
      'audit:access',
    ]),
  },
]

/**
 * Version of a ready-made role: a hash of what it says and gives, so that it changes with a new
 * permission without an edit by hand.
 */
export const versionOf = (role: ReadyMadeRole) =>
  createHash('sha256').update(JSON.stringify(role)).digest('hex').slice(0, 16)
