import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { checkOutranks } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findMember, findUserByName } from '../directory/user-store.ts'
import type { clientEndpoints } from './client-contract.ts'

type ClientHandlers = Pick<Handlers<typeof coreContract>, keyof typeof clientEndpoints>

const prefix = 'user-service-'
const hidden = '*'.repeat(10)

export const clientHandlers = (deps: CoreDeps): ClientHandlers => ({
  clientSecret: async ({ params }, ctx) => {
    const { sub } = await serviceAccount(deps, ctx, params.client)
    const { tokenEndpoint } = await deps.clients.identity.client({ params: { sub } })
    return { clientSecret: hidden, tokenEndpoint }
  },

  renewClientSecret: async ({ params }, ctx) => {
    const user = await serviceAccount(deps, ctx, params.client)
    // The secret gives the rights of the account, so the caller must be allowed to give them.
    await checkOutranks(deps, ctx, user)
    const { sub, username } = user
    const renewed = await deps.clients.identity.renewClientSecret({ params: { sub }, body: {} })
    const change = { resource: 'users', action: 'renewSecret', id: user.id, label: username }
    await deps.db.transaction().execute((tx) => recordChange(tx, ctx, change))
    return { clientSecret: renewed.clientSecret ?? hidden, tokenEndpoint: renewed.tokenEndpoint }
  },
})

/** The service account of this organization behind a client's name. */
async function serviceAccount({ db }: CoreDeps, { organization }: OrgCtx, client: string) {
  const username = client.startsWith(prefix) ? client.slice(prefix.length) : ''
  const named = username && (await findUserByName(db, organization.realm, username))
  const user = named && (await findMember(db, organization.id, named.id))
  if (user && user.service_account) return user
  throw failure(coreContract, 'not_found', { message: 'No such client here' })
}
