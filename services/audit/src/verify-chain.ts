import { type Kysely, sql } from 'kysely'
import { digestOf, hashOf, nothing } from './chain.ts'
import type { Fault } from './contract.ts'
import { type AuditDb, type EntryRow, type Head, lineColumns } from './database.ts'
import { isSame, type Seals } from './seals.ts'

const atOnce = 1_000

type Asked = {
  db: Kysely<AuditDb>
  seals: Seals
  /** The end of the chain as this server last saw it, kept outside the database. */
  seen?: Head | undefined
  /** Told how far the check is, from 0 to 1. */
  onProgress?: (progress: number) => Promise<void>
  signal?: AbortSignal
}
type SealedHead = AuditDb['chain_head']
type Checked = { lines: number; links: number; fault: Fault | null }

/**
 * Follow the whole chain as it is at one moment: every line against its digest, every link against the
 * one before, what was removed against the sealed word that its time was over, both ends against theirs.
 */
export const verifyChain = (asked: Asked): Promise<Checked> =>
  asked.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => walk(tx, asked))

async function walk(tx: Kysely<AuditDb>, asked: Asked): Promise<Checked> {
  const { seals, seen } = asked
  const head = await tx.selectFrom('chain_head').selectAll().executeTakeFirst()
  const { base_seq, base_hash } = head ?? { base_seq: 0, base_hash: nothing }
  const checkpoints = await checkpointsOf(tx, seals)
  const at = { seq: base_seq, hash: base_hash, lines: 0 }
  const done = (fault: Fault | undefined) => ({
    lines: at.lines,
    links: at.seq - base_seq,
    fault: fault ?? null,
  })
  const goal = Math.max(1, (head?.head_seq ?? 0) - base_seq)
  for (let some = atOnce; some === atOnce;) {
    asked.signal?.throwIfAborted()
    const links = await linksAfter(tx, at.seq)
    some = links.length
    for (const link of links) {
      const fault = faultOf(link, at, { checkpoints, end: head?.head_seq ?? 0, seen })
      if (fault) return done(fault)
      at.seq = link.seq
      at.hash = link.hash
      if (link.line) at.lines += 1
    }
    await asked.onProgress?.(Math.min(1, (at.seq - base_seq) / goal))
  }
  return done(await faultAtEnds(tx, { ...asked, head, at }))
}

type Link = AuditDb['chain_link'] & { line: EntryRow | null; words: string[] }

async function linksAfter(tx: Kysely<AuditDb>, seq: number): Promise<Link[]> {
  const rows = await tx
    .selectFrom('chain_link as link')
    .leftJoin('entry', 'entry.seq', 'link.seq')
    .select(lineColumns.map((column) => `entry.${column}` as const))
    .select(sql<string[] | null>`tsvector_to_array(entry.words)`.as('words'))
    .select(['link.seq as number', 'link.at as time', 'link.organization as place'])
    .select(['link.digest', 'link.hash'])
    .where('link.seq', '>', seq)
    .orderBy('link.seq')
    .limit(atOnce)
    .execute()
  return rows.map(({ number, time, place, digest, hash, words, ...line }) => ({
    seq: number,
    at: time,
    organization: place,
    digest,
    hash,
    line: line.seq === null ? null : (line as EntryRow), // with its number all of it is there
    words: words ?? [],
  }))
}

type Known = { checkpoints: ReadonlyMap<string, Date>; end: number; seen: Head | undefined }

/** What is wrong with a link that stands after `before`, or with its line. */
function faultOf(link: Link, before: { seq: number; hash: Buffer }, known: Known) {
  const { seq, at, organization, line } = link
  const expected = before.seq + 1
  if (seq > known.end) return fault('added', seq, 'stands after the sealed end of the chain', at)
  if (seq !== expected) return fault('missing', expected, 'is not there, nor is its link')
  if (line === null) {
    const until = known.checkpoints.get(organization)
    if (!until || at >= until) return fault('missing', seq, 'was removed before its time', at)
  } else if (!isSame(digestOf(line, link.words), link.digest)) {
    return fault('changed', seq, 'is not as it was written', at)
  }
  if (!isSame(hashOf(before.hash, link), link.hash)) {
    return fault('unlinked', seq, 'does not follow on the line before', at)
  }
  if (known.seen?.head_seq === seq && !isSame(known.seen.head_hash, link.hash)) {
    return fault('rolled-back', seq, 'is another than this server saw there', at)
  }
  return undefined
}

type Ends = Asked & { head: SealedHead | undefined; at: { seq: number; hash: Buffer } }

/** What is wrong with the ends of a chain in which each line follows on the one before. */
async function faultAtEnds(tx: Kysely<AuditDb>, { seals, seen, head, at }: Ends) {
  const end = head?.head_seq ?? 0
  if (at.seq < end) return fault('cut', at.seq + 1, `and all up to ${end} are cut off`)
  if (seen && seen.head_seq > end) {
    return fault('rolled-back', end + 1, `and all up to ${seen.head_seq} were there once`)
  }
  const stray = await strayLine(tx, head?.base_seq ?? 0)
  if (stray) return fault('added', stray.seq, 'has no place in the chain')
  return head && faultOfHead(head, seals, at.hash)
}

function faultOfHead(head: SealedHead, seals: Seals, hash: Buffer) {
  const { head_seq, head_hash, seal } = head
  if (!isSame(seal, seals.head(head))) {
    return fault('seal', head_seq, 'is the end, and its seal is not of this installation')
  }
  if (isSame(head_hash, hash)) return undefined
  return fault('unlinked', head_seq, 'is the end, and not the one that was sealed')
}

/** A line without a link, or a link before the beginning. */
const strayLine = (tx: Kysely<AuditDb>, base: number) =>
  tx
    .selectFrom('entry')
    .select('seq')
    .where((eb) =>
      eb.not(
        eb.exists(
          eb.selectFrom('chain_link as l').select('l.seq').whereRef('l.seq', '=', 'entry.seq'),
        ),
      ),
    )
    .union(tx.selectFrom('chain_link').select('seq').where('seq', '<=', base))
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()

/** Until when lines of organizations were removed in time, as far as that is sealed. */
async function checkpointsOf(tx: Kysely<AuditDb>, seals: Seals) {
  const rows = await tx.selectFrom('retention_checkpoint').selectAll().execute()
  const good = rows.filter(({ organization, until, seal }) =>
    isSame(seal, seals.checkpoint(organization, until)),
  )
  return new Map(good.map(({ organization, until }) => [organization, until]))
}

const fault = (kind: Fault['kind'], seq: number, what: string, at: Date | null = null): Fault => ({
  kind,
  message: `Line ${seq} ${what}`,
  seq,
  at,
})
