import { type Kysely, sql } from 'kysely'
import { digestOf, hashOf, zeroHash } from '../chain/chain.ts'
import type { Fault } from './contract.ts'
import { type AuditDb, type EntryRow, type Head, entryColumns } from '../database.ts'
import { isSame, type Seals } from '../chain/seals.ts'

const atOnce = 1_000

type Asked = {
  db: Kysely<AuditDb>
  seals: Seals
  /** End of the chain that this server last saw, kept outside the database. */
  seen?: Head | undefined
  /** Called with the progress, from 0 to 1. */
  onProgress?: (progress: number) => Promise<void>
  signal?: AbortSignal
}
type SealedHead = AuditDb['chain_head']
type Checked = { lines: number; links: number; fault: Fault | null }

/**
 * Verification of the whole chain in one snapshot: every entry against its digest, every link against
 * the one before, deleted entries against sealed checkpoints, both ends against their seals.
 */
export const verifyChain = (asked: Asked): Promise<Checked> =>
  asked.db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => followChain(tx, asked))

async function followChain(tx: Kysely<AuditDb>, asked: Asked): Promise<Checked> {
  const { seals, seen } = asked
  const head = await tx.selectFrom('chain_head').selectAll().executeTakeFirst()
  const { base_seq, base_hash } = head ?? { base_seq: 0, base_hash: zeroHash }
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

type Link = AuditDb['chain_link'] & {
  line: EntryRow | null
  words: string[]
  /** Another entry has the same number. */
  isTwice: boolean
}

async function linksAfter(tx: Kysely<AuditDb>, seq: number): Promise<Link[]> {
  const links = await tx
    .selectFrom('chain_link')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(atOnce)
    .execute()
  // By their numbers in all months: a changed time must not hide an entry.
  const entries = await tx
    .selectFrom('entry')
    .select(entryColumns)
    .select(sql<string[]>`tsvector_to_array(words)`.as('words'))
    .where('seq', '>', seq)
    .where('seq', '<=', links.at(-1)?.seq ?? seq)
    .execute()
  const bySeq = Map.groupBy(entries, (entry) => entry.seq)
  return links.map((link) => {
    const [entry, ...others] = bySeq.get(link.seq) ?? []
    if (!entry) return { ...link, line: null, words: [], isTwice: false }
    const { words, ...line } = entry
    return { ...link, line, words, isTwice: others.length > 0 }
  })
}

type Known = { checkpoints: ReadonlyMap<string, Date>; end: number; seen: Head | undefined }

/** Fault of a link after `before`, or of its entry. */
function faultOf(link: Link, before: { seq: number; hash: Buffer }, known: Known) {
  const { seq, at, organization, line } = link
  const expected = before.seq + 1
  if (seq > known.end) return fault('added', seq, 'is after the sealed end of the chain', at)
  if (seq !== expected) return fault('missing', expected, 'and its link are missing')
  if (link.isTwice) return fault('added', seq, 'is there twice', at)
  if (line === null) {
    const until = known.checkpoints.get(organization)
    if (!until || at >= until)
      return fault('missing', seq, 'was removed before its retention time', at)
  } else if (!isSame(digestOf(line, link.words), link.digest)) {
    return fault('changed', seq, 'was changed', at)
  }
  if (!isSame(hashOf(before.hash, link), link.hash)) {
    return fault('unlinked', seq, 'does not follow the entry before it', at)
  }
  if (known.seen?.head_seq === seq && !isSame(known.seen.head_hash, link.hash)) {
    return fault('rolled-back', seq, 'differs from the one that this server saw', at)
  }
  return undefined
}

type Ends = Asked & { head: SealedHead | undefined; at: { seq: number; hash: Buffer } }

/** Fault at the ends of a chain whose links follow each other. */
async function faultAtEnds(tx: Kysely<AuditDb>, { seals, seen, head, at }: Ends) {
  const end = head?.head_seq ?? 0
  if (at.seq < end) return fault('cut', at.seq + 1, `to ${end} are missing at the end`)
  if (seen && seen.head_seq > end) {
    return fault('rolled-back', end + 1, `to ${seen.head_seq} were there before`)
  }
  const stray = await strayEntry(tx, head?.base_seq ?? 0)
  if (stray) return fault('added', stray.seq, 'is not in the chain')
  return head && faultOfHead(head, seals, at.hash)
}

function faultOfHead(head: SealedHead, seals: Seals, hash: Buffer) {
  const { head_seq, head_hash, seal } = head
  if (!isSame(seal, seals.head(head))) {
    return fault('seal', head_seq, 'is the end, and its seal is invalid')
  }
  if (isSame(head_hash, hash)) return undefined
  return fault('unlinked', head_seq, 'is the end, and differs from the sealed one')
}

/** Entry without a link, or link before the base. */
const strayEntry = (tx: Kysely<AuditDb>, base: number) =>
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

/**
 * Times before which entries of organizations were deleted in time; rows without a valid seal are
 * ignored.
 */
async function checkpointsOf(tx: Kysely<AuditDb>, seals: Seals) {
  const rows = await tx.selectFrom('retention_checkpoint').selectAll().execute()
  const good = rows.filter(({ organization, until, seal }) =>
    isSame(seal, seals.checkpoint(organization, until)),
  )
  return new Map(good.map(({ organization, until }) => [organization, until]))
}

const fault = (kind: Fault['kind'], seq: number, what: string, at: Date | null = null): Fault => ({
  kind,
  message: `Entry ${seq} ${what}`,
  seq,
  at,
})
