import { startRounds } from '@longreach/kit/rounds'
import type { IdentityDeps } from './identity-deps.ts'
import { cleanupImpersonations } from './sessions/impersonation-store.ts'
import { rotateKeys } from './realms/key-store.ts'
import { cleanupMails } from './mail/mail-store.ts'
import { cleanupExpiredRecords } from './sessions/session-store.ts'

const everyMs = 60_000
const failuresKeptMs = 24 * 3_600_000
const mailsKeptMs = 30 * 24 * 3_600_000

type Deps = Pick<IdentityDeps, 'db' | 'secrets' | 'now' | 'log'>

/** Every minute: sessions that ran out end, what expired is forgotten, old keys get successors. */
export function keepHouse(deps: Deps) {
  return startRounds(
    everyMs,
    () => cleanupOnce(deps),
    (error) => deps.log.warn(error, 'identity: cleanup failed'),
  )
}

/** Clean up once. */
export async function cleanupOnce({ db, secrets, now }: Omit<Deps, 'log'>) {
  await cleanupExpiredRecords(db, new Date())
  await db.deleteFrom('one_time_link').where('expires_at', '<', now()).execute()
  await cleanupImpersonations(db, now())
  await cleanupMails(db, new Date(now().getTime() - mailsKeptMs))
  for (const table of ['sign_in_flow', 'pending_factor'] as const) {
    await db.deleteFrom(table).where('expires_at', '<', now()).execute()
  }
  const old = new Date(now().getTime() - failuresKeptMs)
  await db.deleteFrom('sign_in_failure').where('last_at', '<', old).execute()
  const realms = await db.selectFrom('realm').select('name').execute()
  for (const { name } of realms) await rotateKeys(db, secrets, { now: now(), realm: name })
}
