import { failure } from '@longreach/kit/errors'
import type { Kysely } from 'kysely'
import { uuid } from '../accounts/account-rules.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { newSecret } from './client-secret.ts'
import { type ClientRow, clientOfAccount, putClient } from './client-store.ts'

/** Client of a service account, without its secret; fails with `no_such_client`. */
export async function accountClient(deps: IdentityDeps, sub: string) {
  return toClient(deps, await requireClient(deps.db, sub))
}

/** Replace the secret of a service account's client; answers the client and the new secret. */
export async function renewAccountClientSecret(
  tx: Kysely<IdentityDb>,
  deps: IdentityDeps,
  { sub, now }: { sub: string; now: Date },
) {
  const client = await requireClient(tx, sub)
  const { realm, client_id: clientId } = client
  const clientSecret = newSecret()
  await putClient(tx, deps.secrets, { realm, clientId, sub, secret: clientSecret, now })
  return { client: toClient(deps, { ...client, secret_at: now }), clientSecret }
}

async function requireClient(db: Kysely<IdentityDb>, sub: string) {
  const client = uuid.test(sub) ? await clientOfAccount(db, sub) : undefined
  if (!client) throw failure(identityContract, 'no_such_client', { client: sub })
  return client
}

const toClient = ({ site }: IdentityDeps, { realm, client_id, secret_at }: ClientRow) => ({
  clientId: client_id,
  tokenEndpoint: `${site.origin}/auth/realms/${realm}/protocol/openid-connect/token`,
  secretAt: secret_at,
})
