import type { Generated } from 'kysely'

export type PreferencesTables = {
  user_property: { user_id: number; service: string; property: string; value: string }
  user_preference: {
    id: Generated<number>
    user_id: number
    organization_id: number
    service_name: string
    value: string
  }
}
