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
    const { client } = await deps.clients.identity.account({ params: { sub } })
    if (!client) throw noClient()
    return { clientSecret: hidden, tokenEndpoint: client.tokenEndpoint }
  },

  renewClientSecret: async ({ params }, ctx) => {
    const user = await serviceAccount(deps, ctx, params.client)
    // The secret gives the rights of the account, so the caller must be allowed to give them.
    await checkOutranks(deps, ctx, user)
    const { sub, username } = user
    const { client, clientSecret = hidden } = await deps.clients.identity.updateAccount({
      params: { sub },
      body: { renewClientSecret: true },
    })
    if (!client) throw noClient()
    const change = { resource: 'users', action: 'renewSecret', id: user.id, label: username }
    await deps.db.transaction().execute((tx) => recordChange(tx, ctx, change))
    return { clientSecret, tokenEndpoint: client.tokenEndpoint }
  },
})

/** The service account of this organization behind a client's name. */
async function serviceAccount({ db }: CoreDeps, { organization }: OrgCtx, client: string) {
  const username = client.startsWith(prefix) ? client.slice(prefix.length) : ''
  const named = username && (await findUserByName(db, organization.realm, username))
  const user = named && (await findMember(db, organization.id, named.id))
  if (user && user.service_account) return user
  throw noClient()
}

const noClient = () => failure(coreContract, 'not_found', { message: 'No such client here' })
