import type { PlatformDeps } from '../deps.ts'
import { deleteUnusedTexts } from './configuration-history.ts'
import { trimLogs } from './device-log-store.ts'

/** Limits of a device's log: age and number of entries. */
const logKept = { ms: 30 * 86_400_000, entries: 5_000 }

/**
 * Deletes old log entries and configurations that no device had for long. `since` is the last entry
 * of the log that the time before saw; answers the last one of now.
 */
export async function cleanupDevices({ db, now }: Pick<PlatformDeps, 'db' | 'now'>, since = 0) {
  const before = new Date(now().getTime() - logKept.ms)
  const last = await trimLogs(db, { before, most: logKept.entries, since })
  await deleteUnusedTexts(db)
  return last
}

/** The same, again and again: each run begins where the one before ended. */
export function createDeviceCleanup(deps: Pick<PlatformDeps, 'db' | 'now'>) {
  let since = 0
  return async () => {
    since = await cleanupDevices(deps, since)
  }
}
