import type { Generated } from 'kysely'

export type SetupTables = {
  instance: { id: Generated<string>; created_at: Generated<Date>; updated_at: Generated<Date> }
  setup_token: { fingerprint: string; claimed_at: Date | null }
}
