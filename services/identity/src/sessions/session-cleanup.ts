import type { IdentityDeps } from '../identity-deps.ts'
import { cleanupImpersonations } from './impersonation-store.ts'
import { cleanupExpiredRecords } from './session-store.ts'

/** Ends sessions that ran out, and deletes what expired with them. */
export async function cleanupSessions({ db, now }: Pick<IdentityDeps, 'db' | 'now'>) {
  await cleanupExpiredRecords(db, new Date())
  await cleanupImpersonations(db, now())
}
