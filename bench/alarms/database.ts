import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { everyAction } from '@longreach/authorization/capability'
import { migrated, openDatabase } from '@longreach/kit/database'
import { startPostgres } from '@longreach/kit/embedded-postgres'
import { createBus } from '@longreach/kit/events'
import type { Kysely } from 'kysely'
import type { AlarmsDb } from '../../services/alarms/src/database.ts'

/** Empty database with the tables of alarms; `stop` ends it and deletes its folder. */
export async function alarmsDatabase() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'longreach-bench-'))
  const postgres = await startPostgres({ dataDir: folder })
  const connection = { ...postgres.connection, max: 10 }
  const { pool, db: whole, close } = openDatabase(connection, () => undefined) // it stops after the bench
  await createBus(whole)
  const migrations = new URL('../../services/alarms/src/migrations/', import.meta.url)
  const db = (await migrated(whole, 'alarms', migrations)) as Kysely<AlarmsDb> // its own schema
  return {
    pool,
    db,
    async stop() {
      await close()
      await postgres.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Somebody who may see all alarms and devices of an organization, as handlers read it of a call. */
export const callerOf = (org: string, now: Date) =>
  ({
    capability: { grants: { alarms: everyAction, devices: everyAction }, deviceGroups: [] },
    organization: { resourceId: org },
    subtree: false,
    below: false,
    now,
  }) as never // what these handlers read of a call
