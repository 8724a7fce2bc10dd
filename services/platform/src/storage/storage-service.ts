import type { Kysely } from 'kysely'
import { coreContract } from '@longreach/core/contract'
import { type Consumer, on } from '@longreach/kit/events'
import { dropFilesOf, ofExports } from '../exports/export-store.ts'
import { type PlatformDeps, runtimeOf } from '../runtime.ts'
import { dropRules, type RetentionDb } from './retention-store.ts'
import type { RetentionDeps, StorageDeps } from './retention-run.ts'

/** The dependencies of the platform as storage and retention want them. */
export function forStorage(deps: PlatformDeps): StorageDeps & RetentionDeps {
  const { telemetry, directory } = runtimeOf(deps)
  const db = deps.db as unknown as Kysely<RetentionDb> // Kysely is invariant, and all tables of a service are in one schema
  return { db, telemetry, directory, now: deps.now, log: deps.log }
}

/** Rules and exported files of organizations that will not come back go; their values went with their devices. */
export const dropRulesOfPurged = <DB>(): Consumer<DB> =>
  on(coreContract.events.organizationPurged, async ({ organizations }, tx: Kysely<DB>) => {
    const gone = organizations.map(({ resourceId }) => resourceId)
    await dropRules(tx as unknown as Kysely<RetentionDb>, gone) // as above
    await dropFilesOf(ofExports(tx), gone)
  })
