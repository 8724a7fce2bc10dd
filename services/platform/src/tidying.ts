import { startRounds } from '@longreach/kit/rounds'
import type { Kysely } from 'kysely'
import { deleteUnusedTexts } from './devices/configuration-history.ts'
import { trimLogs } from './devices/device-log-store.ts'
import { dropExpired, ofExports } from './exports/export-store.ts'
import { deleteOldMoments } from './moments/moment-store.ts'
import { deleteOldRequests } from './writes/write-request-store.ts'
import type { PlatformDeps, ServiceDb } from './runtime.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How long the log of a device reaches back, and how many entries it has at most. */
const logKept = { ms: 30 * dayMs, entries: 5_000 }
/** Moments that no person wrote go after three years. */
const momentsKeptMs = 3 * 365 * dayMs

/**
 * Take away what has been kept long enough; `since` is the last entry of the log that the time before
 * saw. Answers the last one of now.
 */
export async function tidy(db: Kysely<ServiceDb>, now: Date, since = 0) {
  const before = (ms: number) => new Date(now.getTime() - ms)
  const asked = { before: before(logKept.ms), most: logKept.entries, since }
  const last = await trimLogs(db, asked)
  await deleteOldMoments(db, before(momentsKeptMs))
  await deleteOldRequests(db, now)
  await deleteUnusedTexts(db)
  await dropExpired(ofExports(db), now)
  return last
}

/** Tidy now and every hour. */
export function startTidying({ db, now, log }: Pick<PlatformDeps, 'db' | 'now' | 'log'>) {
  let since = 0
  const round = async () => {
    since = await tidy(db, now(), since)
  }
  return startRounds(hourMs, round, (error) => log.error(error, 'old entries could not be tidied'))
}
