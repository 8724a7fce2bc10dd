import type { Generated } from 'kysely'

export type GroupsTables = {
  user_group: {
    id: Generated<number>
    organization_id: number
    name: string
    label: string
    type: 'STANDARD' | 'SELF_USER' | 'SELF_USER_SERVICE' | 'ALL_USER'
  }
  group_member: {
    organization_id: number
    group_id: number
    user_id: number
    role: 'ADMIN' | 'USER'
  }
  group_role: { organization_id: number; group_id: number; role_id: number }
}
