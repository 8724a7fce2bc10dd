import type { Generated } from 'kysely'

export type MembershipsTables = {
  account_claim: { realm: string; username: string; claimed_at: Date; making: Generated<boolean> }
}
