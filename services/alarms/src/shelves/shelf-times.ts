import { type Kysely, sql } from 'kysely'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { Edits } from '../occurrences/edits.ts'
import { lockDevices, occurrencesById, writeEdits } from '../occurrences/occurrence-store.ts'
import {
  changeShelves,
  keepShelves,
  misplacedAlarms,
  noteShelves,
} from '../occurrences/shelf-cover.ts'
import { endShelves } from './shelf-store.ts'

type Db = Kysely<AlarmsDb>
type Deps = Pick<AlarmsDeps, 'db' | 'now'>

/** Alarms that are put on shelves, or taken from them, in one transaction. */
const batch = 1_000

/** Ends shelves whose time is over, or whose alarms have returned, and settles what waits for it. */
export async function endDueShelves(deps: Deps) {
  await endBecause(deps, 'time', endedSql)
  await endBecause(deps, 'return', returnedSql)
  const waiting = await waitingShelves(deps.db)
  if (waiting.length === 0) return
  await settleShelves(deps)
  await markSettled(deps.db, waiting)
}

type Condition = (now: Date) => ReturnType<typeof returnedSql>

const endedSql = (now: Date) => sql<boolean>`s.until <= ${now}`
/** An alarm of the shelf has returned since it began, and none that it holds is active. */
const returnedSql = () => sql<boolean>`(s.end_on_return
  and exists (select from alarms.occurrence o join alarms.change c on c.occurrence = o.id
    where o.shelf_id = s.id and c.kind in ('returned', 'closed') and c.heard_t >= s.created_at)
  and not exists (select from alarms.occurrence o where o.shelf_id = s.id and o.open and o.active))`

/** Ends the shelves of a condition; of several processes one ends each. */
async function endBecause({ db, now }: Deps, how: 'time' | 'return', condition: Condition) {
  const at = now()
  const due = sql<{ id: string }>`select s.id from alarms.shelf s
    where s.ended_at is null and ${condition(at)}`
  if ((await due.execute(db)).rows.length === 0) return
  await db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`${due} for update skip locked`.execute(tx)
    const ids = rows.map(({ id }) => id)
    if (ids.length === 0) return
    await endShelves(tx, ids, { at, how })
    await changeShelves(tx)
  })
}

type Waiting = { id: string; ended: boolean; lifted: number }

/** Shelves whose alarms may not be where they belong, as they are now. */
async function waitingShelves(db: Db): Promise<Waiting[]> {
  const { rows } = await sql<Waiting>`select s.id, s.ended_at is not null as ended,
      (select count(*)::int from alarms.shelf_lifted l where l.shelf_id = s.id) as lifted
    from alarms.shelf s where s.pending`.execute(db)
  return rows
}

/** Marks shelves as settled, unless they have changed since they were read. */
const markSettled = (db: Db, waiting: readonly Waiting[]) =>
  sql`update alarms.shelf s set pending = false
    from jsonb_to_recordset(${JSON.stringify(waiting)}::jsonb) as w(id uuid, ended boolean, lifted int)
    where s.id = w.id and (s.ended_at is not null) = w.ended
      and (select count(*) from alarms.shelf_lifted l where l.shelf_id = s.id) = w.lifted`.execute(
    db,
  )

/** Puts open alarms on the shelves that hold them and takes them from those that do not, and announces it. */
export async function settleShelves({ db, now }: Deps, batches = Number.POSITIVE_INFINITY) {
  for (let round = 0; round < batches; round += 1) {
    const found = await misplacedAlarms(db, batch)
    if (found.length === 0) return
    await db.transaction().execute(async (tx) => {
      await keepShelves(tx)
      await lockDevices(
        tx,
        found.map(({ device_id }) => device_id),
      )
      // Read behind the lock: another process may have been first.
      const rows = await occurrencesById(
        tx,
        found.map(({ id }) => id),
      )
      const edits = new Edits(rows)
      await noteShelves(tx, edits, now(), new Set(rows))
      const publish = await writeEdits(tx, edits)
      await publish(tx)
    })
  }
}

/** Time for which shelves that are over are kept, for the history of their alarms. */
const keptMs = 90 * 86_400_000

/** Deletes shelves that were over 90 days ago. */
export const cleanupShelves = (db: Db, now: Date) =>
  db
    .deleteFrom('shelf')
    .where('ended_at', '<', new Date(now.getTime() - keptMs))
    .execute()
