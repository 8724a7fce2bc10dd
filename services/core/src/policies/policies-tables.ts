import type { Generated } from 'kysely'

export type PoliciesTables = {
  security_policy: {
    id: Generated<number>
    organization_id: number
    name: string
    type: 'STANDARD' | 'SELF_DEVICE' | 'ALL_DEVICES'
    device_id: string | null
  }
  policy_device: { policy_id: number; device_id: string }
  group_policy: { organization_id: number; group_id: number; policy_id: number }
  user_policy: { organization_id: number; user_id: number; policy_id: number }
}
