import { publish } from '@longreach/kit/events'
import { recordChange } from '@longreach/kit/audit-trail'
import { z } from 'zod'
import { bodyOf, requireRecentSignIn, refuseImpersonator, type Own } from './account-call.ts'
import { type StoredAccount, updateAccount } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import { changeEmail } from './email-change.ts'
import { languageOf } from '../pages/page-language.ts'
import { actingIn } from '../sign-in/sign-in-trail.ts'

const name = z.string().trim().max(255)
/** Fields of the profile that a person may change; others in the body are ignored. */
const Profile = z.object({
  firstName: name.optional(),
  lastName: name.optional(),
  email: z.string().trim().max(255).optional(),
})

const profile = (account: StoredAccount) => {
  const { sub: id, username, email, firstName, lastName, emailVerified } = account
  return { id, username, email, firstName, lastName, emailVerified, attributes: {} }
}

/** GET account: the profile of the person. */
export const showProfile = async ({ account }: Own) => profile(account)

/**
 * POST account: names change at once. A new e-mail address is `pendingEmail` until the person opens the
 * link that is mailed to it.
 */
export async function takeProfile(own: Own) {
  const { call, account, session } = own
  const { deps, request, query } = call
  const { db } = deps
  refuseImpersonator({ session })
  const {
    firstName = account.firstName,
    lastName = account.lastName,
    email,
  } = bodyOf(call, Profile)
  const pendingEmail = email !== undefined && email !== account.email ? email : undefined
  if (pendingEmail !== undefined) {
    await requireRecentSignIn(db, own)
    const language = languageOf(request.headers, query)
    await changeEmail(deps, { sub: account.sub, email: pendingEmail, language })
  }
  const after = { firstName, lastName }
  const { firstName: first, lastName: last, sub } = account
  if (firstName === first && lastName === last) return { ...profile(account), pendingEmail }
  const changed = await db.transaction().execute(async (tx) => {
    const saved = await updateAccount(tx, sub, { first_name: firstName, last_name: lastName })
    const { accountChanged } = identityContract.events
    await publish(tx, accountChanged, { sub, email: account.email, ...after })
    await recordChange(tx, actingIn(call, account), {
      resource: 'account',
      action: 'update',
      id: sub,
      label: account.username,
      before: { firstName: first, lastName: last },
      after,
    })
    return saved
  })
  return { ...profile(changed ?? account), pendingEmail }
}
