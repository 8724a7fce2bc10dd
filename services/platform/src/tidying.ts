import type { Kysely } from 'kysely'
import { deleteUnusedTexts } from './configuration-history.ts'
import { trimLogs } from './device-log-store.ts'
import type { PlatformDb } from './device-state-store.ts'
import { dropExpired, ofExports } from './exports/export-store.ts'
import { deleteOldMoments } from './moment-store.ts'
import type { PlatformDeps } from './runtime.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
/** How long the log of a device reaches back, and how many entries it has at most. */
const logKept = { ms: 30 * dayMs, entries: 5_000 }
/** Moments that no person wrote go after three years. */
const momentsKeptMs = 3 * 365 * dayMs

/** Take away what has been kept long enough. */
export async function tidy(db: Kysely<PlatformDb>, now: Date) {
  const before = (ms: number) => new Date(now.getTime() - ms)
  await trimLogs(db, before(logKept.ms), logKept.entries)
  await deleteOldMoments(db, before(momentsKeptMs))
  await deleteUnusedTexts(db)
  await dropExpired(ofExports(db), now)
}

/** Tidy every hour until stopped. */
export function startTidying({ db, now, log }: Pick<PlatformDeps, 'db' | 'now' | 'log'>) {
  const timer = setInterval(() => {
    tidy(db, now()).catch((error: unknown) => log.error(error, 'old entries could not be tidied'))
  }, hourMs)
  timer.unref()
  return { stop: () => clearInterval(timer) }
}
