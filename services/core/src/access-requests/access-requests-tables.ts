import type { Generated } from 'kysely'

export type AccessRequestsTables = {
  access_request: {
    id: Generated<number>
    organization_id: number
    user_id: number
    note: string
    status: Generated<'OPEN' | 'ACCEPTED' | 'DECLINED'>
    created_at: Date
    decided_at: Generated<Date | null>
    decided_by: Generated<string | null>
  }
}
