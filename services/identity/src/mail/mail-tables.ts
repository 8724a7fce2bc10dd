import type { Generated } from 'kysely'

/** What the link in a mail is for. */
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

/** The outbox, as its migration makes it. */
export type MailTables = { mail: Mail }
