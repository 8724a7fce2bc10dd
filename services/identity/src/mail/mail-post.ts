import type { Secrets } from '@longreach/kit/secrets'
import type { IdentityDeps } from '../identity-deps.ts'
import { insertMail, type NewMail } from './mail-store.ts'
import type { MailText } from './mail-text.ts'

const label = 'identity/mail'
type Tx = Pick<IdentityDeps, 'db' | 'secrets' | 'now'>

/** Write a mail in the transaction of its cause; it is sent soon after that commits. */
export const post = (
  { db, secrets, now }: Tx,
  text: MailText,
  mail: Omit<NewMail, 'content'>,
): Promise<unknown> =>
  insertMail(db, { ...mail, content: secrets.seal(label, JSON.stringify(text)) }, now())

/** What `post` sealed. */
export const contentOf = (secrets: Secrets, sealed: Buffer) =>
  JSON.parse(secrets.open(label, sealed).toString()) as MailText // written by `post` alone
