import type { Generated } from 'kysely'

export type ApiKeysTables = {
  api_key: {
    id: Generated<number>
    organization_id: number
    user_id: number
    member_id: number | null
    label: string
    digest: Buffer
    permissions: string[]
    addresses: string[]
    created_at: Date
    created_by: string
    expires_at: Date
    last_used_at: Date | null
    last_used_ip: string | null
  }
}
