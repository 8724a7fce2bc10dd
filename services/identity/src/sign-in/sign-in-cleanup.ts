import type { IdentityDeps } from '../identity-deps.ts'

const failuresKeptMs = 24 * 3_600_000

/** Deletes unfinished sign-ins that expired, and failures of the day before. */
export async function cleanupSignIns({ db, now }: Pick<IdentityDeps, 'db' | 'now'>) {
  await db.deleteFrom('sign_in_flow').where('expires_at', '<', now()).execute()
  const old = new Date(now().getTime() - failuresKeptMs)
  await db.deleteFrom('sign_in_failure').where('last_at', '<', old).execute()
}
