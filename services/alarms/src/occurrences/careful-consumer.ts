import type { Event } from '@longreach/kit/contract'
import type { Consumer } from '@longreach/kit/events'
import { storable } from '@longreach/kit/masked'
import { type Kysely, sql } from 'kysely'
import type { z } from 'zod'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { DevicesUnavailable } from '../devices/device-facts.ts'
import type { Publish } from './occurrence-store.ts'

type Db = Kysely<AlarmsDb>
type Deps = Pick<AlarmsDeps, 'log' | 'now'>

/** Work on several events; what it publishes follows when it has not failed. */
type Take<T> = (values: readonly T[], tx: Db) => Promise<Publish>

/**
 * Consumer of events that are written at once. When that fails for a reason of their content, each is
 * written alone, and those that fail are logged and kept in `set_aside`: no event holds those behind it.
 */
export const carefully = <T extends z.ZodType>(
  deps: Deps,
  { topic, payload }: Event<T>,
  take: Take<z.output<T>>,
): Consumer<AlarmsDb> => ({
  topic,
  async consume(payloads, tx) {
    const values: z.output<T>[] = []
    for (const raw of payloads) {
      const read = payload.safeParse(raw)
      if (read.success) values.push(read.data)
      else await setAside(deps, tx, { topic, payload: raw, error: read.error })
    }
    if (values.length === 0) return
    const failed = await attempt(tx, values, take)
    if (failed === undefined) return
    for (const value of values) {
      const error = values.length === 1 ? failed : await attempt(tx, [value], take)
      if (error !== undefined) await setAside(deps, tx, { topic, payload: value, error })
    }
  },
})

/** Runs the work to a savepoint and publishes; returns the error that the content caused. */
async function attempt<T>(tx: Db, values: readonly T[], take: Take<T>): Promise<unknown> {
  await sql`savepoint event`.execute(tx)
  let publish: Publish
  try {
    publish = await take(values, tx)
  } catch (error) {
    if (!isOfContent(error)) throw error
    await sql`rollback to savepoint event`.execute(tx)
    return error
  }
  await sql`release savepoint event`.execute(tx)
  await publish(tx)
  return undefined
}

/** Classes of PostgreSQL's errors that other values would not cause: data and integrity, and limits. */
const ofContent = /^(?:22|23|54)/

/** False for faults that pass: a lost connection, a deadlock, another service that does not answer. */
function isOfContent(error: unknown) {
  if (error instanceof DevicesUnavailable) return false
  if (!(error instanceof Error)) return true
  if ('code' in error && typeof error.code === 'string') return ofContent.test(error.code)
  return true
}

type Bad = { topic: string; payload: unknown; error: unknown }

async function setAside({ log, now }: Deps, tx: Db, { topic, payload, error }: Bad) {
  log.error({ err: error, topic, payload }, 'an event was set aside, as it could not be taken')
  await tx
    .insertInto('set_aside')
    .values({
      topic,
      payload: JSON.stringify(payload ?? null),
      error: storable(error instanceof Error ? error.message : String(error)).slice(0, 10_000),
      at: now(),
    })
    .execute()
}

/** Time for which events that were set aside are kept. */
const keptMs = 90 * 86_400_000

/** Deletes events that were set aside 90 days ago. */
export const cleanupSetAside = (db: Db, now: Date) =>
  db
    .deleteFrom('set_aside')
    .where('at', '<', new Date(now.getTime() - keptMs))
    .execute()
