import { randomUUID, timingSafeEqual } from 'node:crypto'
import { publish } from '@longreach/kit/events'
import type { Secrets } from '@longreach/kit/secrets'
import type { Kysely, Selectable } from 'kysely'
import { identityContract } from '../contract.ts'
import type { IdentityDb } from '../identity-tables.ts'

export type ClientRow = Selectable<IdentityDb['client']>

const secretFingerprint = (secrets: Secrets, secret: string) =>
  secrets.fingerprint('identity/client-secret', secret)

/** Client with a secret, also when its account is disabled. */
export const findClient = (
  db: Kysely<IdentityDb>,
  realm: string,
  clientId: string,
): Promise<ClientRow | undefined> =>
  db
    .selectFrom('client')
    .selectAll()
    .where('realm', '=', realm)
    .where('client_id', '=', clientId)
    .executeTakeFirst()

export const clientOfAccount = (
  db: Kysely<IdentityDb>,
  sub: string,
): Promise<ClientRow | undefined> =>
  db.selectFrom('client').selectAll().where('sub', '=', sub).executeTakeFirst()

/** Comparison of a secret with the stored fingerprint, in constant time. */
export function secretFits(secrets: Secrets, client: ClientRow, secret: string) {
  const [given, kept] = [
    Buffer.from(secretFingerprint(secrets, secret)),
    Buffer.from(client.secret),
  ]
  return given.length === kept.length && timingSafeEqual(given, kept)
}

type Fresh = { realm: string; clientId: string; sub: string | null; secret: string; now: Date }

/** Create a client, or replace the secret of an existing one; its tokens become invalid. */
export async function putClient(
  tx: Kysely<IdentityDb>,
  secrets: Secrets,
  { realm, clientId, sub, secret, now }: Fresh,
) {
  const before = await findClient(tx, realm, clientId)
  const changed = {
    secret: secretFingerprint(secrets, secret),
    secret_at: now,
    session: randomUUID(),
  }
  await tx
    .insertInto('client')
    .values({ realm, client_id: clientId, sub, ...changed, created_at: now })
    .onConflict((conflict) => conflict.columns(['realm', 'client_id']).doUpdateSet(changed))
    .execute()
  if (before) await publishClientEnd(tx, before)
}

/** Invalidate every token of an account’s client, because the account is disabled or deleted. */
export async function endClientTokens(tx: Kysely<IdentityDb>, sub: string) {
  const before = await clientOfAccount(tx, sub)
  if (!before) return
  await tx.updateTable('client').set({ session: randomUUID() }).where('sub', '=', sub).execute()
  await publishClientEnd(tx, before)
}

/** Delete a client; its tokens become invalid. */
export async function deleteClient(db: Kysely<IdentityDb>, realm: string, clientId: string) {
  await db
    .deleteFrom('client')
    .where('realm', '=', realm)
    .where('client_id', '=', clientId)
    .execute()
}

const publishClientEnd = (tx: Kysely<IdentityDb>, { session, sub, client_id }: ClientRow) =>
  publish(tx, identityContract.events.sessionEnded, { session, sub: sub ?? client_id })
