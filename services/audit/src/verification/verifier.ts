import { sql } from 'kysely'
import type { Fault } from './contract.ts'
import type { AuditDeps } from '../deps.ts'
import type { Seals } from '../chain/seals.ts'
import { readSeenHead } from './seen-head.ts'
import { verifyChain } from './verify-chain.ts'

const staleMs = 60_000
const beatMs = 500

/** Checks of the chain that people start and watch: one at a time, whichever process runs it. */
export function createVerifier({ db, site, now, log }: AuditDeps, seals: Seals) {
  const stopped = new AbortController()
  let running = Promise.resolve()

  const check = async (onProgress?: (progress: number) => Promise<void>) =>
    verifyChain({
      db,
      seals,
      seen: await readSeenHead(site.dataDir, seals),
      signal: stopped.signal,
      ...(onProgress && { onProgress }),
    })

  const beat = (progress: number) =>
    db.updateTable('verification').set({ beat_at: now(), progress }).execute()

  const run = async () => {
    let told = Date.now()
    const { fault } = await check(async (progress) => {
      if (Date.now() - told < beatMs) return
      told = Date.now()
      await beat(progress)
    })
    if (fault) log.error(fault, 'the audit trail is broken')
    const text = fault === null ? null : JSON.stringify(fault)
    await db
      .updateTable('verification')
      .set({ progress: 1, beat_at: now(), finished_at: now(), fault: text })
      .execute()
  }

  return {
    check,
    /** Start a verification unless one is running. */
    async begin() {
      const fresh = {
        started_at: now(),
        beat_at: now(),
        progress: 0,
        finished_at: null,
        fault: null,
      }
      const stale = new Date(now().getTime() - staleMs)
      const begun = await db
        .insertInto('verification')
        .values(fresh)
        .onConflict((conflict) =>
          conflict.constraint('verification_pkey').doUpdateSet(fresh)
            .where(sql<boolean>`verification.finished_at is not null
              or verification.beat_at < ${stale}`),
        )
        .returning('started_at')
        .execute()
      if (begun.length === 0) return
      running = run().catch((error: unknown) =>
        log.error(error, 'the audit trail could not be verified'),
      )
    },
    async state() {
      const row = await db.selectFrom('verification').selectAll().executeTakeFirst()
      const stale = row && row.finished_at === null && now().getTime() - +row.beat_at >= staleMs
      if (!row || stale) return never
      return {
        state: stateOf(row.finished_at, row.fault),
        progress: row.progress,
        startedAt: row.started_at,
        finishedAt: row.finished_at,
        fault: row.fault as Fault | null, // as `run` wrote it
      }
    },
    async close() {
      stopped.abort()
      await running
    },
  }
}

const never = {
  state: 'never' as const,
  progress: 0,
  startedAt: null,
  finishedAt: null,
  fault: null,
}

function stateOf(finished: Date | null, fault: unknown) {
  if (finished === null) return 'running' as const
  return fault === null ? ('intact' as const) : ('broken' as const)
}

export type Verifier = ReturnType<typeof createVerifier>
