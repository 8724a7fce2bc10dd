import type { PlatformDeps } from '../deps.ts'
import { deleteUnusedTexts } from './configuration-history.ts'
import { trimLogs } from './device-log-store.ts'
import { deleteOldBatches } from './received-counts.ts'

/** Entries of a device's log that are kept. */
const mostEntries = 5_000

/**
 * Deletes log entries beyond the most of a device, and configurations that no device had for long. `since`
 * is the last entry of the log that the time before saw; answers the last one of now.
 */
export async function cleanupDevices({ db }: Pick<PlatformDeps, 'db'>, since = 0) {
  const last = await trimLogs(db, { most: mostEntries, since })
  await deleteUnusedTexts(db)
  await deleteOldBatches(db)
  return last
}

/** The same, again and again: each run begins where the one before ended. */
export function createDeviceCleanup(deps: Pick<PlatformDeps, 'db'>) {
  let since = 0
  return async () => {
    since = await cleanupDevices(deps, since)
  }
}
