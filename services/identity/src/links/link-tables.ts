import type { Generated } from 'kysely'

export type LinkPurpose = 'password' | 'invitation' | 'email'

type OneTimeLink = {
  fingerprint: string
  sub: string
  purpose: LinkPurpose
  expires_at: Date
  /** The address that a link of purpose `email` proves. */
  email: string | null
  organization: string | null
  organization_label: string | null
}

type Mail = {
  id: Generated<number>
  realm: string
  organization: string
  kind: string
  recipient: string
  sub: string | null
  purpose: LinkPurpose | null
  content: Buffer | null
  status: 'WAITING' | 'SENT' | 'FAILED'
  attempts: Generated<number>
  next_at: Date
  valid_until: Date | null
  error: Generated<string>
  created_at: Date
  updated_at: Date
}

/** The tables of links and mail, as their migrations make them. */
export type LinkTables = {
  one_time_link: OneTimeLink
  mail: Mail
  password_request: {
    id: Generated<number>
    realm: string
    typed: Buffer
    language: string
    created_at: Date
  }
}
