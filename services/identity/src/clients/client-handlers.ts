import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { clientEndpoints } from './client-contract.ts'
import { administrationClients, masterRealm } from './client-rules.ts'
import { newSecret } from './client-secret.ts'
import { deleteClient, findClient, putClient, secretFits } from './client-store.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { makeRealm } from '../realms/realm-store.ts'

type ClientHandlers = Pick<Handlers<typeof identityContract>, keyof typeof clientEndpoints>

/** Handlers of the contract for administration clients. */
export const clientHandlers = (deps: IdentityDeps): ClientHandlers => ({
  administrationClient: async ({ params: { client: clientId }, body }, { now }) => {
    if (!administrationClients.includes(clientId)) throw clientNotFound(clientId)
    const { db, secrets } = deps
    if (!body.enabled) {
      await deleteClient(db, masterRealm, clientId)
      return { clientId }
    }
    const secret = body.secret ?? newSecret()
    await makeRealm(db, secrets, { name: masterRealm, label: 'Administration', now })
    await saveSecret(deps, { clientId, secret, now })
    return { clientId, clientSecret: secret }
  },
})

/**
 * Set the secret of an administration client. The same secret changes nothing, so that a restart keeps
 * issued tokens valid.
 */
async function saveSecret(
  { db, secrets }: IdentityDeps,
  { clientId, secret, now }: { clientId: string; secret: string; now: Date },
) {
  const known = await findClient(db, masterRealm, clientId)
  if (known && secretFits(secrets, known, secret)) return
  const fresh = { realm: masterRealm, clientId, sub: null, secret, now }
  await db.transaction().execute((tx) => putClient(tx, secrets, fresh))
}

const clientNotFound = (client: string) => failure(identityContract, 'no_such_client', { client })
