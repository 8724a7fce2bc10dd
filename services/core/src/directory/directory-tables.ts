import type { Generated, GeneratedAlways } from 'kysely'

export type DirectoryTables = {
  app_user: {
    id: Generated<number>
    sub: string
    realm: string
    username: string
    email: string
    first_name: string
    last_name: string
    service_account: boolean
    enabled: Generated<boolean>
    search_text: GeneratedAlways<string>
    created_at: Date
  }
  membership: {
    user_id: number
    organization_id: number
    group_policies_enabled: Generated<boolean>
    /** Of a service account: the organization it is in when it names none. */
    home: Generated<boolean>
  }
}
