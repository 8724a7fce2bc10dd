import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import { lockHead, writeHead } from '../chain/chain-writer.ts'
import type { AuditDb } from '../database.ts'
import { keptSince, retentionOf } from './retention-rules.ts'
import {
  deleteLinksBefore,
  deleteEntriesBefore,
  firstEntry,
  organizationsWithEntries,
  retentionChoices,
  writeCheckpoint,
} from './retention-store.ts'
import type { Seals } from '../chain/seals.ts'

const atOnce = 5_000

/**
 * Delete entries after their retention time, organization by organization, then the beginning of the
 * chain up to the first entry left. Answers the number of deleted entries.
 */
async function cleanupEntries(db: Kysely<AuditDb>, seals: Seals, now: Date) {
  const choices = await retentionChoices(db, seals)
  let removed = 0
  for (const organization of await organizationsWithEntries(db)) {
    const { days } = retentionOf(organization, choices)
    removed += await removeFrom(db, seals, { organization, until: keptSince(now, days) })
  }
  await shortenChain(db, seals)
  return removed
}

type Over = { organization: string; until: Date }

/** Small transactions, so that writers do not wait long. */
async function removeFrom(db: Kysely<AuditDb>, seals: Seals, over: Over) {
  let removed = 0
  for (let some = atOnce; some === atOnce; removed += some) {
    some = await db.transaction().execute(async (tx) => {
      const gone = await deleteEntriesBefore(tx, { ...over, limit: atOnce })
      if (gone > 0) await writeCheckpoint(tx, seals, over)
      return gone
    })
  }
  return removed
}

const shortenChain = (db: Kysely<AuditDb>, seals: Seals) =>
  db.transaction().execute(async (tx) => {
    const head = await lockHead(tx)
    if (!head) return
    const first = await firstEntry(tx)
    const base = await deleteLinksBefore(tx, first?.seq ?? head.head_seq + 1)
    if (base) await writeHead(tx, seals, { ...head, base_seq: base.seq, base_hash: base.hash })
  })

type Job = { db: Kysely<AuditDb>; seals: Seals; now: () => Date; log: FastifyBaseLogger }

/** Deletes entries after their retention time. Several processes may do so at once. */
export async function deleteOldEntries({ db, seals, now, log }: Job) {
  const removed = await cleanupEntries(db, seals, now())
  if (removed > 0) log.info({ removed }, 'audit entries were deleted after their retention time')
}
