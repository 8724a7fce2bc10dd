import { publish } from '@longreach/kit/events'
import { type Kysely, sql } from 'kysely'
import { endClientTokens } from '../clients/client-store.ts'
import { identityContract } from '../contract.ts'
import { sessionsActedBy } from './impersonation-store.ts'
import type { IdentityDb, Payload } from '../identity-tables.ts'

/** Seconds without use after which a session ends. */
export const sessionIdleS = 30 * 60
/** Seconds after the sign-in at which every session ends. */
export const sessionLongestS = 10 * 60 * 60

/** Seconds after which a session of impersonation ends. */
const impersonationLongestS = 60 * 60
/** Value of `amr` in sessions of impersonation. */
export const impersonated = 'impersonated'

/** Seconds for which a session with the sign-in time `loginTs` may last when it is used now. */
export function sessionTtlS(loginTs = epochS(), amr: readonly string[] = []) {
  const longest = amr.includes(impersonated) ? impersonationLongestS : sessionLongestS
  return Math.max(1, Math.min(sessionIdleS, loginTs + longest - epochS()))
}

export const epochS = () => Math.floor(Date.now() / 1000)

const sessions = (db: Kysely<IdentityDb>) =>
  db
    .selectFrom('oidc_record')
    .select(['realm', 'id', 'payload', 'uid'])
    .where('model', '=', 'Session')

/** Session by the `sid` of its tokens; undefined when it ended. */
export async function findSession(db: Kysely<IdentityDb>, realm: string, uid: string) {
  const row = await sessions(db)
    .where('realm', '=', realm)
    .where('uid', '=', uid)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()
  return row?.payload
}

const sessionWithEnd = (
  db: Kysely<IdentityDb>,
  realm: string,
  uid: string,
): Promise<Found | undefined> =>
  sessions(db)
    .select('expires_at')
    .where('realm', '=', realm)
    .where('uid', '=', uid)
    .where('expires_at', '>', new Date())
    .executeTakeFirst()

const keptExactlyMs = 30_000

type Used = { realm: string; uid: string; found?: Found | undefined }
type Found = { payload: Payload; expires_at: Date }

/**
 * Extend a session that is used, up to its longest duration. `found` is the session if it was just read.
 * Undefined when it ended.
 */
export async function extendSession(db: Kysely<IdentityDb>, { realm, uid, ...known }: Used) {
  const found = known.found ?? (await sessionWithEnd(db, realm, uid))
  if (!found) return undefined
  const { payload } = found
  const exp = epochS() + sessionTtlS(payload.loginTs, payload.amr)
  // The end was updated less than 30 s ago: many calls must not write the row each time.
  if (Math.abs(exp * 1000 - found.expires_at.getTime()) < keptExactlyMs) return payload
  await db
    .with('used', (own) =>
      own
        .updateTable('session_facts')
        .set({ last_access_at: new Date() })
        .where('realm', '=', realm)
        .where('uid', '=', uid)
        .returning('uid'),
    )
    .updateTable('oidc_record')
    .set({
      expires_at: new Date(exp * 1000),
      payload: sql<string>`jsonb_set(payload, '{exp}', to_jsonb(${exp}::bigint))`,
    })
    .where('realm', '=', realm)
    .where('model', '=', 'Session')
    .where('uid', '=', uid)
    .execute()
  return payload
}

/** Set `acr` 2 in a session in which a second factor was used later: its next token contains it. */
export async function strengthenSession(
  db: Kysely<IdentityDb>,
  { realm, uid, amr }: { realm: string; uid: string; amr: readonly string[] },
) {
  const proof = JSON.stringify({ acr: '2', amr })
  await db
    .updateTable('oidc_record')
    .set({ payload: sql<string>`payload || ${proof}::jsonb` })
    .where('realm', '=', realm)
    .where('model', '=', 'Session')
    .where('uid', '=', uid)
    .execute()
}

type Row = { realm: string; uid: string | null; payload: Payload }

/** End one session with its tokens and publish one event. */
export async function endSession(db: Kysely<IdentityDb>, realm: string, uid: string) {
  await db.transaction().execute((tx) => endSessionIn(tx, realm, uid))
}

async function endSessionIn(tx: Kysely<IdentityDb>, realm: string, uid: string) {
  const rows = await tx
    .deleteFrom('oidc_record')
    .where('realm', '=', realm)
    .where('model', '=', 'Session')
    .where('uid', '=', uid)
    .returning(['realm', 'uid', 'payload'])
    .execute()
  await finishSessions(tx, rows)
}

/** End every session of a person, after a new password or when the account is disabled or deleted. */
export async function endSessionsOf(tx: Kysely<IdentityDb>, sub: string) {
  const rows = await tx
    .deleteFrom('oidc_record')
    .where('account', '=', sub)
    .where('model', '=', 'Session')
    .returning(['realm', 'uid', 'payload'])
    .execute()
  await finishSessions(tx, rows)
  // Sessions in which they act as somebody else end as well.
  for (const { realm, session } of await sessionsActedBy(tx, sub)) {
    if (session !== null) await endSessionIn(tx, realm, session)
  }
  await endClientTokens(tx, sub)
  await tx.deleteFrom('oidc_record').where('account', '=', sub).execute()
}

/** End every session of a person except one. */
export async function endOtherSessions(tx: Kysely<IdentityDb>, sub: string, keep?: string) {
  let others = tx
    .deleteFrom('oidc_record')
    .where('account', '=', sub)
    .where('model', '=', 'Session')
  if (keep !== undefined) others = others.where('uid', '!=', keep)
  await finishSessions(tx, await others.returning(['realm', 'uid', 'payload']).execute())
}

/** Delete up to 5,000 expired records; expired sessions end with an event. */
export async function cleanupExpiredRecords(db: Kysely<IdentityDb>, now: Date) {
  await db.transaction().execute(async (tx) => {
    const expired = tx
      .selectFrom('oidc_record')
      .select(['realm', 'model', 'id'])
      .where('expires_at', '<', now)
      .orderBy('expires_at')
      .limit(5000)
      .forUpdate()
      .skipLocked()
    const rows = await tx
      .deleteFrom('oidc_record')
      .where(({ eb, refTuple }) =>
        eb(refTuple('realm', 'model', 'id'), 'in', expired.$asTuple('realm', 'model', 'id')),
      )
      .returning(['realm', 'uid', 'payload', 'model'])
      .execute()
    await finishSessions(
      tx,
      rows.filter(({ model }) => model === 'Session'),
    )
  })
}

async function finishSessions(tx: Kysely<IdentityDb>, ended: readonly Row[]) {
  for (const { realm, uid, payload } of ended) {
    const grants = Object.values(payload.authorizations ?? {}).flatMap(
      ({ grantId }) => grantId ?? [],
    )
    if (grants.length > 0) {
      await tx
        .deleteFrom('oidc_record')
        .where('realm', '=', realm)
        .where((is) =>
          is.or([
            is('grant_id', 'in', grants),
            is.and([is('model', '=', 'Grant'), is('id', 'in', grants)]),
          ]),
        )
        .execute()
    }
    if (uid !== null && payload.accountId !== undefined) {
      await tx
        .deleteFrom('session_facts')
        .where('realm', '=', realm)
        .where('uid', '=', uid)
        .execute()
      const event = { session: uid, sub: payload.accountId }
      await publish(tx, identityContract.events.sessionEnded, event)
    }
  }
}
