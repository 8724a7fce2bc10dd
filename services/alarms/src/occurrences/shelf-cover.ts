import { holdLock, shareLock } from '@longreach/kit/locks'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { Edits } from './edits.ts'
import { isOpen, type Occurrence } from './occurrence.ts'

type Db = Kysely<AlarmsDb>

/**
 * Holds the shelves as they are until the transaction ends, for changes of alarms: a shelf that begins or
 * ends meanwhile waits, so that no alarm misses it.
 */
export const keepShelves = (tx: Db) => shareLock(tx, 'alarms.shelves')

/**
 * Waits until no alarm is being changed, and holds all off until the transaction ends: the last statement of
 * one that changes shelves.
 */
export const changeShelves = (tx: Db) => holdLock(tx, 'alarms.shelves')

/** Condition that the shelf `s` reaches the organization of the alarm `o`. */
const reachesSql = sql<boolean>`((o.org = s.org or (s.below and starts_with(o.org, s.org || '.')
    and not exists (select from unnest(s.closed) as private(org)
      where o.org = private.org or starts_with(o.org, private.org || '.'))))
  and not exists (select from alarms.shelf_lifted l where l.shelf_id = s.id
    and (o.org = l.org or starts_with(o.org, l.org || '.'))))`

/** Condition that the target of the shelf `s` has the alarm `o` of the device `d`. */
export const hasSql = sql<boolean>`(case s.target_type
  when 'alarm' then s.device_id = o.device_id and s.source = o.source
  when 'rule' then o.rule_id::text = s.target_id
  when 'device' then o.device_id = s.target_id
  when 'group' then d.groups @> array[s.target_id::int]
  when 'class' then o.class = s.target_id
  else true end)`

/** Shelf of the alarm `o` of the device `d`: of several the one that lasts longest. */
const shelfSql = sql`(select s.id from alarms.shelf s where s.ended_at is null and ${reachesSql} and ${hasSql}
  order by s.until desc, s.id limit 1)`

const shelved = sql`alarms.occurrence o join alarms.device d on d.device_id = o.device_id`

type Misplaced = { id: string; device_id: string }

/** Open alarms that are not on the shelf that holds them, or on one that does not. */
export async function misplacedAlarms(db: Db, limit: number): Promise<Misplaced[]> {
  const { rows } = await sql<Misplaced>`select o.id, o.device_id from ${shelved}
    where o.open and o.shelf_id is distinct from ${shelfSql}
    order by o.device_id limit ${sql.lit(limit)}`.execute(db)
  return rows
}

type Shelf = {
  id: string
  reason: string
  note: string
  by_user: string
  ended_by: string | null
  ended_how: string | null
}

/** Changes with which an alarm begins or is heard of. */
const beginnings: ReadonlySet<string> = new Set(['raised', 'again', 'restored', 'late'])

/**
 * Puts the alarms that changed on the shelf that holds them, and takes them from one that does not. One that
 * is over again is marked too, so that nobody is told of it. Hold the shelves (`keepShelves`) before the
 * devices are locked.
 */
export async function noteShelves(tx: Db, edits: Edits, now: Date, rows = edits.changed) {
  const begun = new Set(
    edits.announced.filter(({ kind }) => beginnings.has(kind)).map(({ id }) => id),
  )
  const asked = [...rows].filter((row) => isOpen(row) || begun.has(row.id))
  if (asked.length === 0) return
  const placed = await shelvesFor(tx, asked)
  const moved = asked.filter((row) => (placed.get(row.id) ?? null) !== row.shelf_id)
  if (moved.length === 0) return
  const named = moved.flatMap((row) => [placed.get(row.id) ?? [], row.shelf_id ?? []].flat())
  const known = await readShelves(tx, named)
  for (const row of moved) {
    const to = placed.get(row.id) ?? null
    // An alarm that begins was on the shelf of an earlier time at most.
    const isQuiet = !isOpen(row) || (to === null && begun.has(row.id))
    if (isQuiet) edits.touch(row, { shelf_id: to })
    else place(edits, row, { to, known, now })
  }
}

type Placing = { to: string | null; known: ReadonlyMap<string, Shelf>; now: Date }

function place(edits: Edits, row: Occurrence, { to, known, now }: Placing) {
  const t = now.getTime()
  const from = row.shelf_id === null ? undefined : known.get(row.shelf_id)
  const shelf = to === null ? undefined : known.get(to)
  if (shelf) {
    const { by_user: by, note: comment, reason } = shelf
    return edits.change(
      row,
      { shelf_id: to },
      { kind: 'shelved', t, heard: t, by, comment, reason },
    )
  }
  const by = from?.ended_by ?? undefined
  const reason = from?.ended_how ?? 'lifted'
  edits.change(row, { shelf_id: null }, { kind: 'unshelved', t, heard: t, by, reason })
}

/** Shelves that hold open alarms, by the alarm; those without one are left out. */
async function shelvesFor(tx: Db, open: readonly Occurrence[]): Promise<Map<string, string>> {
  const asked = open.map(({ id, org, device_id, source, rule_id, class: name }) => ({
    id,
    org,
    device_id,
    source,
    rule_id,
    class: name,
  }))
  const { rows } = await sql<{ id: string; shelf: string }>`
    select o.id, ${shelfSql} as shelf from jsonb_to_recordset(${JSON.stringify(asked)}::jsonb)
      as o(id text, org text, device_id text, source text, rule_id uuid, class text)
    join alarms.device d on d.device_id = o.device_id
    where exists (select from alarms.shelf where ended_at is null)`.execute(tx)
  return new Map(rows.flatMap(({ id, shelf }) => (shelf === null ? [] : [[id, shelf] as const])))
}

async function readShelves(tx: Db, ids: readonly string[]): Promise<Map<string, Shelf>> {
  const rows = await tx
    .selectFrom('shelf')
    .select(['id', 'reason', 'note', 'by_user', 'ended_by', 'ended_how'])
    .where('id', '=', sql<string>`any(${[...new Set(ids)]}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
