import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { checkOutranks } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findMember } from '../directory/user-store.ts'
import type { impersonationEndpoints } from './impersonation-contract.ts'

type Impersonating = Pick<Handlers<typeof coreContract>, keyof typeof impersonationEndpoints>

export const impersonationHandlers = (deps: CoreDeps): Impersonating => ({
  impersonateUser: async ({ params }, ctx) => {
    const { caller, organization } = ctx
    const user = await findMember(deps.db, organization.id, params.user)
    if (!user) throw failure(coreContract, 'not_found', { message: 'No such person here' })
    if (caller.apiKey || caller.serviceAccount) {
      throw cannot('Only a person can act as another; sign in to the portal')
    }
    if (user.service_account) throw cannot('This is a program; use its secret instead')
    if (user.sub === caller.sub) throw cannot('This is you already')
    await checkOutranks(deps, ctx, user)
    const link = await deps.clients.identity.impersonate({
      params: { sub: user.sub },
      body: {
        by: { sub: caller.sub, username: caller.username },
        secondFactor: caller.secondFactor === true,
      },
    })
    const change = { resource: 'users', action: 'impersonate', id: user.id, label: user.username }
    await deps.db.transaction().execute((tx) => recordChange(tx, ctx, change))
    return link
  },
})

const cannot = (message: string) => failure(coreContract, 'cannot_impersonate', { message })
