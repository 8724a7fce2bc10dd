import type { Generated } from 'kysely'

type RoleTable = {
  id: Generated<number>
  organization_id: number
  name: string
  label: string
  description: string
  type: 'APPLICATION' | 'DEVICE'
  owner: 'SYSTEM' | 'ORGANIZATION' | 'APPLICATION'
  enabled: Generated<boolean>
  inherit: Generated<boolean>
  default_star: Generated<boolean>
  /** Version of a ready-made role; null for others. */
  version: string | null
  created_at: Date
  updated_at: Date
}

export type RolesTables = {
  role: RoleTable
  role_rule: {
    id: Generated<number>
    role_id: number
    resource: string
    actions: string[]
    device_group: number | null
    vpn_name: string | null
  }
  model_path: { id: Generated<number>; organization_id: number; path: string; created_at: Date }
  role_model_path: {
    organization_id: number
    role_id: number
    model_path_id: number
    may_read: boolean
    may_look_back: boolean
    may_write: boolean
  }
}
