import type { Generated } from 'kysely'

export type DevicesTables = {
  device: { id: string; number: Generated<number>; label: string; organization_id: number }
  device_account: { device_id: string; organization_id: number; user_id: number }
  deleted_device: {
    id: string
    number: number | null
    label: string
    organization_id: number
    policies: number[]
  }
}
