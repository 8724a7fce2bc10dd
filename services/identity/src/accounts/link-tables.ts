import type { Generated } from 'kysely'
import type { LinkPurpose } from '../mail/mail-tables.ts'

type OneTimeLink = {
  fingerprint: string
  sub: string
  purpose: LinkPurpose
  expires_at: Date
  /** Address that a link of purpose `email` proves. */
  email: string | null
  organization: string | null
  organization_label: string | null
}

/** Tables of one-time links and of requests for forgotten passwords. */
export type LinkTables = {
  one_time_link: OneTimeLink
  password_request: {
    id: Generated<number>
    realm: string
    typed: Buffer
    language: string
    created_at: Date
  }
}
