import { qualifiedName } from '@longreach/kit/person-name-rules'
import type { StoredAccount } from './account-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { insertLink } from './link-store.ts'
import type { LinkPurpose } from '../mail/mail-tables.ts'
import { oneAddress } from '@longreach/mail/mail-rules'
import { queueMail } from '../mail/queue-mail.ts'
import { mailText } from '../mail/mail-text.ts'
import type { Language } from '../pages/words.ts'

const minute = 60_000
const validForMs: Record<LinkPurpose, number> = {
  password: 15 * minute,
  email: 15 * minute,
  invitation: 7 * 24 * 60 * minute,
}

/** Path of the page of a link below its realm, as in Keycloak. */
export const linkPath = '/login-actions/action-token'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now'>
type Asked = {
  account: StoredAccount
  purpose: LinkPurpose
  language: Language
  organization?: { resourceId: string; label: string } | undefined
  /** Address that a link of purpose `email` proves; its mail goes there. */
  email?: string
  /** Answer the link instead of mailing it. */
  handOver?: boolean
}

/**
 * Create a one-time link. Its mail is written in the same transaction; without a mail server, without an
 * address, or with `handOver`, the answer has the `url` instead.
 */
export async function makeOneTimeLink(deps: Deps, asked: Asked) {
  const { account, purpose, language, organization, email } = asked
  const { sub, realm, username } = account
  const validUntil = new Date(deps.now().getTime() + validForMs[purpose])
  const recipient = oneAddress(email ?? account.email)
  const mailed = deps.site.mail !== undefined && recipient !== undefined && !asked.handOver
  return inTransaction(deps.db, async (tx) => {
    const token = await insertLink(tx, deps, {
      sub,
      purpose,
      expiresAt: validUntil,
      organization,
      ...(email !== undefined && { email }),
    })
    const { origin } = deps.site
    const url = `${origin}/auth/realms/${realm}${linkPath}/${token}`
    if (!mailed) return { url, mailed, validUntil }
    const text = mailText(language, purpose, {
      origin,
      url: `${url}?kc_locale=${language}`,
      organization: organization?.label ?? '',
      username: qualifiedName(username, realm),
      email: recipient,
    })
    await queueMail({ ...deps, db: tx }, text, {
      realm,
      organization: organization?.resourceId ?? '',
      kind: purpose,
      recipient,
      valid_until: validUntil,
      link: { sub, purpose },
    })
    return { mailed, validUntil }
  })
}

/** Run work in the caller’s transaction, or in a new one. */
const inTransaction = <T>(db: Deps['db'], work: (tx: Deps['db']) => Promise<T>) =>
  db.isTransaction ? work(db) : db.transaction().execute(work)
