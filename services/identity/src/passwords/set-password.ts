import { recordChange } from '@longreach/kit/audit-trail'
import type { CallerCtx } from '@longreach/kit/service'
import { actionsWith } from '../accounts/account-rules.ts'
import { type StoredAccount, updateAccount } from '../accounts/account-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { endLinksOf } from '../accounts/link-store.ts'
import { hashPassword } from './password-hash.ts'
import { endOtherSessions } from '../sessions/session-store.ts'

type New = {
  account: StoredAccount
  password: string
  /** Session of the person that continues. */
  keep: string | undefined
}

/** Save a checked password that a person chose: every other session and every link of the person ends. */
export async function setPassword(
  { db }: Pick<IdentityDeps, 'db'>,
  ctx: CallerCtx,
  { account, password, keep }: New,
) {
  const password_hash = await hashPassword(password)
  const { sub, username, requiredActions } = account
  await db.transaction().execute(async (tx) => {
    const required_actions = actionsWith(requiredActions, false)
    await updateAccount(tx, sub, { password_hash, required_actions })
    await endLinksOf(tx, sub)
    await endOtherSessions(tx, sub, keep)
    const change = { resource: 'account', action: 'password', id: sub, label: username }
    await recordChange(tx, ctx, change)
  })
}
