import type { AuditRecord } from '@longreach/kit/audit-trail'
import { holdLock } from '@longreach/kit/locks'
import { type Kysely, sql } from 'kysely'
import { digestOf, hashOf, zeroHash } from './chain.ts'
import type { AuditDb, EntryRow, Head } from '../database.ts'
import type { Seals } from './seals.ts'
import { wordsIn } from './search-words.ts'

/** End of the chain, locked, so that batches of entries are appended one after another. */
export const lockHead = (tx: Kysely<AuditDb>) =>
  tx
    .selectFrom('chain_head')
    .select(['base_seq', 'base_hash', 'head_seq', 'head_hash'])
    .forUpdate()
    .executeTakeFirst()

const start: Head = { base_seq: 0, base_hash: zeroHash, head_seq: 0, head_hash: zeroHash }

/** Append records to the chain in their order, and seal the new end. */
export async function appendRecords(
  tx: Kysely<AuditDb>,
  seals: Seals,
  records: readonly AuditRecord[],
) {
  // Before the first entry there is no row to lock.
  await holdLock(tx, 'audit.chain')
  const head = (await lockHead(tx)) ?? start
  let { head_seq: seq, head_hash: hash } = head
  const lines = records.map((record) => {
    seq += 1
    const row = rowOf(record, seq)
    const words = searchWords(row)
    const link = { seq, at: row.at, organization: row.organization, digest: digestOf(row, words) }
    hash = hashOf(hash, link)
    return { row, words, link: { ...link, hash } }
  })
  await tx
    .insertInto('chain_link')
    .values(lines.map(({ link }) => link))
    .execute()
  await tx
    .insertInto('entry')
    .values(
      lines.map(({ row, words }) => ({
        ...row,
        before: row.before === null ? null : JSON.stringify(row.before),
        after: row.after === null ? null : JSON.stringify(row.after),
        words: sql<string>`array_to_tsvector(${words}::text[])`,
      })),
    )
    .execute()
  await writeHead(tx, seals, { ...head, head_seq: seq, head_hash: hash })
}

/** Replace the sealed base and end of the chain. */
export async function writeHead(tx: Kysely<AuditDb>, seals: Seals, head: Head) {
  const { base_seq, base_hash, head_seq, head_hash } = head
  const ends = { base_seq, base_hash, head_seq, head_hash }
  const row = { ...ends, sealed_at: sql<Date>`now()`, seal: seals.head(ends) }
  const known = await tx.updateTable('chain_head').set(row).returning('head_seq').execute()
  if (known.length === 0) await tx.insertInto('chain_head').values(row).execute()
}

/** Row of an entry. A record without an organization belongs to the root of the caller’s realm. */
function rowOf({ actor, ...record }: AuditRecord, seq: number): EntryRow {
  return {
    seq,
    at: record.at,
    organization: record.organization || actor.realm,
    call: record.call,
    resource: record.resource,
    action: record.action,
    target: record.id,
    label: record.label,
    outcome: record.outcome,
    status: record.status ?? null,
    code: record.code ?? null,
    count: record.count,
    actor_kind: actor.kind,
    actor_sub: actor.sub,
    actor_username: actor.username,
    actor_realm: actor.realm,
    api_key: actor.apiKey ?? null,
    impersonator_sub: actor.impersonator?.sub ?? null,
    impersonator_username: actor.impersonator?.username ?? null,
    ip: record.ip,
    before: asJson(record.before),
    after: asJson(record.after),
  }
}

/**
 * Undefined and JSON null are stored alike; the cast is needed because the type of JSON columns has no
 * plain values.
 */
const asJson = (value: unknown) => value ?? null

const searchWords = (row: EntryRow) =>
  wordsIn(
    [row.label, row.target, row.actor_username, row.impersonator_username, row.ip],
    [row.call, row.resource, row.action, row.code, row.organization],
    row.after,
    row.before,
  )
