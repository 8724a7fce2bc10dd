import type { Generated } from 'kysely'

/** Purpose of the link in a mail. */
export type LinkPurpose = 'password' | 'invitation' | 'email'

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

/** Table of the outbox. */
export type MailTables = { mail: Mail }
