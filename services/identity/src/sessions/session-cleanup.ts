import type { IdentityDeps } from '../identity-deps.ts'
import { forgetImpersonations } from './impersonation-store.ts'
import { sweepExpired } from './session-store.ts'

/** Ends sessions that ran out, and deletes what expired with them. */
export async function cleanupSessions({ db, now }: Pick<IdentityDeps, 'db' | 'now'>) {
  await sweepExpired(db, new Date())
  await forgetImpersonations(db, now())
}
