import type { IdentityDeps } from '../identity-deps.ts'
import { generateKeyPair as generateKeyPairCallback } from 'node:crypto'
import { promisify } from 'node:util'
import type { Secrets } from '@longreach/kit/secrets'
import { calculateJwkThumbprint, type JWK } from 'jose'
import type { Kysely } from 'kysely'
import type { IdentityDb } from '../identity-tables.ts'
import { isDead, nextKeyAt, publishedKeys, publishedBeforeMs } from './key-rules.ts'

const generateKeyPair = promisify(generateKeyPairCallback)
const keyLabel = (kid: string) => `identity/realm-key/${kid}`

export type RealmKey = { kid: string; jwk: JWK; activeAt: Date }

/** Keys of a realm to publish, the signing one first; undefined when the realm does not exist. */
export async function realmKeys(
  db: Kysely<IdentityDb>,
  secrets: Secrets,
  realm: string,
  now: Date,
): Promise<RealmKey[] | undefined> {
  const rows = await db
    .selectFrom('realm_key')
    .selectAll()
    .where('realm', '=', realm)
    .orderBy('active_at')
    .execute()
  if (rows.length === 0) return undefined
  const keys = rows.map(({ kid, sealed, active_at: activeAt }) => ({ kid, sealed, activeAt }))
  return publishedKeys(keys, now).map(({ kid, sealed, activeAt }) => {
    const jwk = JSON.parse(secrets.open(keyLabel(kid), sealed).toString()) as JWK
    return { kid, jwk, activeAt }
  })
}

/** Create a key for a realm that signs from `activeAt` on. */
export async function addKey(
  db: Kysely<IdentityDb>,
  secrets: Secrets,
  { realm, activeAt, now }: { realm: string; activeAt: Date; now: Date },
) {
  const { privateKey } = await generateKeyPair('rsa', { modulusLength: 2048 })
  const bare = privateKey.export({ format: 'jwk' }) as JWK
  const kid = await calculateJwkThumbprint(bare)
  const jwk = { ...bare, kid, alg: 'RS256', use: 'sig' }
  const sealed = secrets.seal(keyLabel(kid), JSON.stringify(jwk))
  const row = { kid, realm, sealed, active_at: activeAt, created_at: now }
  await db.insertInto('realm_key').values(row).execute()
}

/**
 * Create the next key when the current one is old (or with `force`), and delete keys that are no longer
 * needed.
 */
export async function rotateKeys(
  db: Kysely<IdentityDb>,
  secrets: Secrets,
  { now, realm, force = false }: { now: Date; realm: string; force?: boolean },
) {
  await db.transaction().execute(async (tx) => {
    // The lock keeps two processes from both creating the next key.
    await tx.selectFrom('realm').select('name').where('name', '=', realm).forUpdate().execute()
    const rows = await tx
      .selectFrom('realm_key')
      .select(['kid', 'active_at'])
      .where('realm', '=', realm)
      .execute()
    const keys = rows.map(({ kid, active_at: activeAt }) => ({ kid, activeAt }))
    const soon = new Date(now.getTime() + publishedBeforeMs)
    const activeAt = nextKeyAt(keys, now) ?? (force ? soon : undefined)
    if (activeAt) await addKey(tx, secrets, { realm, activeAt, now })
    const dead = keys.filter((key) => isDead(key, keys, now)).map(({ kid }) => kid)
    if (dead.length > 0) await tx.deleteFrom('realm_key').where('kid', 'in', dead).execute()
  })
}

/** Gives every realm a new key in time before its present one ends. */
export async function rotateAllKeys({
  db,
  secrets,
  now,
}: Pick<IdentityDeps, 'db' | 'secrets' | 'now'>) {
  const realms = await db.selectFrom('realm').select('name').execute()
  for (const { name } of realms) await rotateKeys(db, secrets, { now: now(), realm: name })
}
