import type { CallerCtx } from '@longreach/kit/service'
import { recordChange } from '@longreach/kit/audit-trail'
import type { StoredAccount } from '../accounts/account-store.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { newRecoveryCodes } from './recovery-codes.ts'

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'now'>
export type CredentialType = 'otp' | 'webauthn' | 'recovery-authn-codes'
type Added = { account: StoredAccount; id: string; type: CredentialType }

/**
 * Complete the set-up of a second factor: remove the required action, record the change, and answer
 * recovery codes if the person had none. They are shown once.
 */
export async function completeFactorSetUp(
  deps: Deps,
  ctx: CallerCtx,
  { account, id, type }: Added,
) {
  const { sub } = account
  return deps.db.transaction().execute(async (tx) => {
    const required_actions = account.requiredActions.filter((one) => one !== 'CONFIGURE_TOTP')
    await tx.updateTable('account').set({ required_actions }).where('sub', '=', sub).execute()
    const label = account.username
    const change = { resource: 'credential', action: 'create', id, label, after: { type } }
    await recordChange(tx, ctx, change)
    const some = await tx
      .selectFrom('recovery_code')
      .select('created_at')
      .where('sub', '=', sub)
      .limit(1)
      .executeTakeFirst()
    return some ? undefined : newRecoveryCodes(tx, deps, sub)
  })
}

/** Replace the recovery codes; they are shown once. */
export const renewRecoveryCodes = (deps: Deps, ctx: CallerCtx, account: StoredAccount) =>
  deps.db.transaction().execute(async (tx) => {
    const { sub: id, username: label } = account
    const after = { type: 'recovery-authn-codes' }
    await recordChange(tx, ctx, { resource: 'credential', action: 'create', id, label, after })
    return newRecoveryCodes(tx, deps, account.sub)
  })
