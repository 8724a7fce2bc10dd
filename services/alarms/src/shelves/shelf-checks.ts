import { rightsIn } from '@longreach/authorization/device-visibility'
import { holdLocks } from '@longreach/kit/locks'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import { hasSql } from '../occurrences/shelf-cover.ts'
import { effectiveOf, settingsAbove } from '../settings/settings-store.ts'
import type { ShelfReason } from './contract.ts'
import { noteRequired, shelfTooLong, shelfTooShort, tooManyShelves } from './shelf-errors.ts'
import { faultOfEnd, isLong, reasonNeedsNote } from './shelf-rules.ts'
import { countShelves, type ShelfRow } from './shelf-store.ts'
import { requireRight, type Targeted } from './shelf-target.ts'

type Db = Kysely<AlarmsDb>

/** Shelves of one organization at a time. */
const mostShelves = 2_000

/** Checks the end of a shelf; 422 with the field. */
export function checkEnd(until: number, now: Date) {
  const fault = faultOfEnd(until, now.getTime())
  if (fault === 'short') throw shelfTooShort()
  if (fault === 'long') throw shelfTooLong()
}

/** Checks the right for a shelf that lasts over 8 hours from its beginning. */
export function checkLength(
  ctx: OrgCtx,
  org: string,
  { until, begun }: { until: number; begun: number },
) {
  if (isLong(until, begun)) requireRight(rightsIn(ctx, org), 'update')
}

/** Checks that there is a note where the reason or the class of alarms asks for one. */
export async function checkNote(
  db: Db,
  target: Targeted,
  { reason, note }: { reason: ShelfReason; note: string },
) {
  if (note !== '') return
  if (reasonNeedsNote(reason)) throw noteRequired('reason')
  const { noteClasses } = effectiveOf(await settingsAbove(db, target.org))
  if (noteClasses.length === 0) return
  const hasClass =
    target.class === undefined
      ? await holdsClass(db, target, noteClasses)
      : noteClasses.includes(target.class)
  if (hasClass) throw noteRequired('class')
}

/** True when an open alarm of a target is of one of these classes. */
async function holdsClass(db: Db, target: Targeted, classes: readonly string[]) {
  const { org, below, target_type, target_id, device_id, source } = target
  const asked = { org, below, target_type, target_id, device_id, source }
  const { rows } = await sql`select from jsonb_to_record(${JSON.stringify(asked)}::jsonb)
      as s(org text, below boolean, target_type text, target_id text, device_id text, source text),
    alarms.occurrence o join alarms.device d on d.device_id = o.device_id
    where o.open and o.class = any(${classes}::text[]) and ${hasSql}
      and (o.org = s.org or (s.below and starts_with(o.org, s.org || '.'))) limit 1`.execute(db)
  return rows.length > 0
}

/** Checks that organizations have room for new shelves, of which one transaction writes at a time. */
export async function checkRoom(tx: Db, rows: readonly ShelfRow[]) {
  const byOrg = Map.groupBy(rows, ({ org }) => org)
  await holdLocks(tx, 'alarms.shelves_of', [...byOrg.keys()])
  for (const [org, own] of byOrg)
    if ((await countShelves(tx, org)) + own.length > mostShelves) throw tooManyShelves(mostShelves)
}
