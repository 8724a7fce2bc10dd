import type { Generated } from 'kysely'

export type OnboardingTables = {
  registration: {
    id: Generated<number>
    fingerprint: string | null
    address: string
    network: string
    content: Buffer | null
    claimed_at: Date | null
    created_at: Date
  }
}
