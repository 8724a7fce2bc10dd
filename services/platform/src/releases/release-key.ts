import { createPrivateKey, generateKeyPairSync } from 'node:crypto'
import {
  endorse,
  type ReleaseManifest,
  signRelease,
} from '@longreach/device-protocol/release-signature'
import type { Secrets } from '@longreach/kit/secrets'
import type { Kysely } from 'kysely'

export type ReleaseDb = {
  agent_release_key: { singleton: boolean; public_key: string; sealed_key: Buffer; made_at: Date }
  agent_release_key_before: {
    public_key: string
    next_key: string
    endorsement: string
    replaced_at: Date
  }
  agent_release: { version: string; released_at: Date }
}
type Deps = { db: Kysely<ReleaseDb>; secrets: Secrets; now: () => Date }

const label = 'agent-release-key'

/** Make the installation's release key, once: two who start together have the same. */
export async function makeReleaseKey({ db, secrets, now }: Deps) {
  if (await findKeyRow(db)) return
  await db
    .insertInto('agent_release_key')
    .values({ singleton: true, ...newKey(secrets), made_at: now() })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

function newKey(secrets: Secrets) {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519')
  const der = privateKey.export({ format: 'der', type: 'pkcs8' })
  return {
    public_key: publicKey.export({ format: 'der', type: 'spki' }).toString('base64'),
    sealed_key: secrets.seal(label, der),
  }
}

const opened = (secrets: Secrets, sealed: Buffer) =>
  createPrivateKey({ key: secrets.open(label, sealed), format: 'der', type: 'pkcs8' })

/** A new release key that the present one signs, which is gone then; answers its public half. */
export const rotateReleaseKey = ({ db, secrets, now }: Deps) =>
  db.transaction().execute(async (tx) => {
    const old = await tx
      .selectFrom('agent_release_key')
      .selectAll()
      .forUpdate()
      .executeTakeFirstOrThrow()
    const fresh = newKey(secrets)
    const endorsement = endorse(fresh.public_key, opened(secrets, old.sealed_key))
    const replaced_at = now()
    await tx
      .insertInto('agent_release_key_before')
      .values({ public_key: old.public_key, next_key: fresh.public_key, endorsement, replaced_at })
      .execute()
    await tx
      .updateTable('agent_release_key')
      .set({ ...fresh, made_at: replaced_at })
      .execute()
    return fresh.public_key
  })

/**
 * Next release key for an agent that knows this one: the present key when it knows none, the successor of
 * its own when that was replaced; undefined when it knows the present one, or that of another installation.
 */
export async function nextTrust(db: Kysely<ReleaseDb>, known: string | null) {
  if (known === null) return { releaseKey: await releaseKey(db) }
  const row = await db
    .selectFrom('agent_release_key_before')
    .selectAll()
    .where('public_key', '=', known)
    .executeTakeFirst()
  return row && { releaseKey: row.next_key, endorsement: row.endorsement }
}

const findKeyRow = (db: Kysely<ReleaseDb>) =>
  db.selectFrom('agent_release_key').selectAll().executeTakeFirst()

/** The key by which agents know a release, as base64 of its SPKI form. */
export async function releaseKey(db: Kysely<ReleaseDb>): Promise<string> {
  const { public_key } = await db
    .selectFrom('agent_release_key')
    .select('public_key')
    .executeTakeFirstOrThrow()
  return public_key
}

/** Since when this installation has the version, in ms since 1970; undefined for one that it never had. */
export async function releasedSince(db: Kysely<ReleaseDb>, version: string) {
  const row = await db
    .selectFrom('agent_release')
    .select('released_at')
    .where('version', '=', version)
    .executeTakeFirst()
  return row?.released_at.getTime()
}

/** Since when this installation has the version; from now on where it is new. */
export async function noteRelease(db: Kysely<ReleaseDb>, version: string, now: Date) {
  await db
    .insertInto('agent_release')
    .values({ version, released_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return (await releasedSince(db, version)) ?? now.getTime()
}

/** The signature under a manifest. */
export async function signManifest({ db, secrets }: Omit<Deps, 'now'>, manifest: ReleaseManifest) {
  const row = await findKeyRow(db)
  if (!row) throw new Error('The release key is gone from the database')
  return signRelease(manifest, opened(secrets, row.sealed_key))
}
