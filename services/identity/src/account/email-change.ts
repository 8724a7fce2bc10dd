import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import { qualifiedName } from '@longreach/kit/person-name-rules'
import { accountBySub, type StoredAccount, updateAccount } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { type Link, spendLink } from '../accounts/link-store.ts'
import { oneAddress } from '@longreach/mail/mail-rules'
import { queueMail } from '../mail/queue-mail.ts'
import { mailText } from '../mail/mail-text.ts'
import { makeOneTimeLink } from '../accounts/one-time-link.ts'
import type { Language } from '../pages/words.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'site' | 'now'>

/**
 * Mail a link to a new e-mail address; the account gets the address when the link is used. Fails with
 * `no_mail_server` without a mail server, since nothing could prove the address.
 */
export async function changeEmail(
  deps: Deps,
  { sub, email, language = 'en' }: { sub: string; email: string; language?: Language },
): Promise<{ mailed: true; validUntil: Date }> {
  const account = await accountBySub(deps.db, sub)
  if (!account) throw failure(identityContract, 'no_such_account', { sub })
  const address = oneAddress(email)
  if (address === undefined) {
    const message = 'Not a valid e-mail address'
    throw failure(identityContract, 'email_refused', { field: 'email', message })
  }
  if (!deps.site.mail) {
    const message = 'No mail server is configured. Ask an administrator to change the address.'
    throw failure(identityContract, 'no_mail_server', { field: 'email', message })
  }
  const asked = { account, purpose: 'email', language, email: address } as const
  const { validUntil } = await makeOneTimeLink(deps, asked)
  return { mailed: true, validUntil }
}

/**
 * Save the address that a link proves, and mail a notice to the previous one. False when the link is
 * used up.
 */
export const confirmEmail = (
  deps: Deps,
  { link, account, language }: { link: Link; account: StoredAccount; language: Language },
) =>
  deps.db.transaction().execute(async (tx) => {
    if (link.email === null || !(await spendLink(tx, link))) return false
    const { sub, realm, firstName, lastName } = account
    await updateAccount(tx, sub, { email: link.email, email_verified: true })
    await publish(tx, identityContract.events.accountChanged, {
      sub,
      email: link.email,
      firstName,
      lastName,
    })
    const earlier = oneAddress(account.email)
    if (earlier === undefined || earlier === link.email || !deps.site.mail) return true
    const text = mailText(language, 'emailChanged', {
      origin: deps.site.origin,
      organization: '',
      username: qualifiedName(account.username, realm),
      email: link.email,
    })
    const kind = 'emailChanged'
    const mail = { realm, organization: '', kind, recipient: earlier, valid_until: null }
    await queueMail({ ...deps, db: tx }, text, mail)
    return true
  })
