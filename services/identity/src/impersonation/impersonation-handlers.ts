import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { uuid } from '../accounts/account-rules.ts'
import { accountBySub } from '../accounts/account-store.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { impersonationPath } from './impersonation.ts'
import type { impersonationEndpoints } from './impersonation-contract.ts'
import { makeImpersonation } from '../sessions/impersonation-store.ts'

type Impersonating = Pick<Handlers<typeof identityContract>, keyof typeof impersonationEndpoints>

/** Handlers of the contract for impersonation. */
export const impersonationHandlers = (deps: IdentityDeps): Impersonating => ({
  impersonate: async ({ params: { sub }, body: { by, secondFactor } }) => {
    const account = uuid.test(sub) ? await accountBySub(deps.db, sub) : undefined
    if (!account || account.serviceAccount || !account.enabled) {
      throw failure(identityContract, 'no_such_account', { sub })
    }
    const { realm } = account
    const { token, validUntil } = await makeImpersonation(deps, { realm, sub, by, secondFactor })
    const url = `${deps.site.origin}/auth/realms/${realm}${impersonationPath}/${token}`
    return { url, validUntil }
  },
})
