import type { Secrets } from '@longreach/kit/secrets'
import type { IdentityDeps } from '../identity-deps.ts'
import { insertMail, type NewMail } from './mail-store.ts'
import type { MailText } from './mail-text.ts'

const label = 'identity/mail'
type Tx = Pick<IdentityDeps, 'db' | 'secrets' | 'now'>

/**
 * Put a mail into the outbox, in the transaction of its cause; it is sent within seconds after the
 * commit.
 */
export const queueMail = (
  { db, secrets, now }: Tx,
  text: MailText,
  mail: Omit<NewMail, 'content'>,
): Promise<unknown> =>
  insertMail(db, { ...mail, content: secrets.seal(label, JSON.stringify(text)) }, now())

/** Content of a mail in the outbox. */
export const contentOf = (secrets: Secrets, sealed: Buffer) =>
  JSON.parse(secrets.open(label, sealed).toString()) as MailText // written by `queueMail` alone
