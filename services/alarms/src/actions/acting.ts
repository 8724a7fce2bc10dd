import { recordChanges } from '@longreach/kit/audit-trail'
import { publishAll } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { randomUUID } from 'node:crypto'
import type { AlarmsDb } from '../database.ts'
import type { AlarmsDeps } from '../deps.ts'
import { occurrencesContract } from '../occurrences/contract.ts'
import { Edits, shownState } from '../occurrences/edits.ts'
import type { Occurrence } from '../occurrences/occurrence.ts'
import { lockDevices, writeEdits } from '../occurrences/occurrence-store.ts'
import { visibleTo } from '../search/visible.ts'
import { type Action, effectOf, kindOf, type SkipReason, traceOf } from './action-effect.ts'
import { type CommandRow, insertCommands, pendingCommands } from './command-store.ts'

type Db = Kysely<AlarmsDb>
type Deps = Pick<AlarmsDeps, 'db'>
type Acted = { done: string[]; skipped: { id: string; reason: SkipReason }[] }
type Asked = { action: Action; ids: readonly string[]; comment: string | undefined }

/** Acts on alarms in one transaction, with one audit entry for each that was changed. */
export async function actOn({ db }: Deps, ctx: OrgCtx, asked: Asked): Promise<Acted> {
  const visible = await visibleTo(db, ctx)
  return db.transaction().execute(async (tx) => {
    const ids = [...new Set(asked.ids)]
    const rows = await lockAlarms(tx, ids, visible)
    const pending = await pendingCommands(tx, ids)
    const edits = new Edits(rows)
    const before = new Map(rows.map((row) => [row.id, shownState(row)]))
    const acting: Acting = { tx, ctx, asked, edits, before, commands: [] }
    const acted: Acted = { done: [], skipped: [] }
    for (const id of ids) {
      const row = edits.get(id)
      const reason = row ? actOnRow(acting, row, pending.get(id) ?? new Set()) : 'not_found'
      if (reason === undefined) acted.done.push(id)
      else acted.skipped.push({ id, reason })
    }
    await writeActed(acting, acted.done)
    return acted
  })
}

type Acting = {
  tx: Db
  ctx: OrgCtx
  asked: Asked
  edits: Edits
  /** States before the action, by alarm. */
  before: ReadonlyMap<string, object>
  commands: CommandRow[]
}

/** Locks the devices of alarms and reads those that the caller may see. */
export async function lockAlarms(
  tx: Db,
  ids: readonly string[],
  visible: Awaited<ReturnType<typeof visibleTo>>,
): Promise<Occurrence[]> {
  // One look into the index for each: beside the other conditions, a thousand ids were taken for half of the table.
  const seen = sql`unnest(${ids}::text[]) as asked(id)
    cross join lateral (select * from alarms.occurrence one where one.id = asked.id limit 1) o
    join alarms.device d on d.device_id = o.device_id where ${visible.rows}`
  const { rows: found } = await sql<
    Pick<Occurrence, 'device_id'>
  >`select o.device_id from ${seen}`.execute(tx)
  await lockDevices(
    tx,
    found.map(({ device_id }) => device_id),
  )
  // Read behind the lock: the device may have moved, or somebody may have acted meanwhile.
  const { rows } = await sql<Occurrence>`select o.* from ${seen}`.execute(tx)
  return rows
}

function actOnRow(
  { ctx, asked, edits, commands }: Acting,
  row: Occurrence,
  pending: ReadonlySet<'ack' | 'reset'>,
): SkipReason | undefined {
  const { action, comment } = asked
  const effect = effectOf(row, action, pending)
  if (effect.kind === 'skip') return effect.reason
  const by = ctx.caller.username
  if (effect.kind === 'command' && action !== 'clear') {
    commands.push(commandOf(row, { action, by, comment, at: ctx.now }))
    return undefined
  }
  const patch = effect.kind === 'change' ? effect.patch : {}
  const t = ctx.now.getTime()
  const trace = traceOf(action, { at: ctx.now, by, comment })
  edits.change(row, { ...patch, ...trace }, { kind: kindOf[action], t, heard: t, by, comment })
  return undefined
}

type Commanded = { action: 'ack' | 'reset'; by: string; comment: string | undefined; at: Date }

const commandOf = (row: Occurrence, { action, by, comment = '', at }: Commanded): CommandRow => ({
  id: randomUUID(),
  device_id: row.device_id,
  occurrence: row.id,
  name: row.name,
  command: action,
  started_at: row.start_t,
  by_user: by,
  comment,
  certificate: row.certificate ?? '',
  state: 'WAITING',
  asked_at: at,
  sent_at: null,
})

async function writeActed(acting: Acting, done: readonly string[]) {
  const { tx, ctx, edits, commands } = acting
  const publish = await writeEdits(tx, edits)
  await insertCommands(tx, commands)
  await publish(tx)
  const devices = new Set(commands.map(({ device_id }) => device_id))
  await publishAll(
    tx,
    occurrencesContract.events.commandWaiting,
    [...devices].map((deviceId) => ({ deviceId })),
  )
  const changed = done.flatMap((id) => edits.get(id) ?? [])
  await recordChanges(
    tx,
    ctx,
    changed.map((row) => entryOf(acting, row)),
  )
}

const entryOf = ({ before, asked: { action, comment } }: Acting, row: Occurrence) => ({
  resource: 'alarms',
  action,
  id: row.id,
  label: row.name,
  organization: row.org,
  before: before.get(row.id),
  after: { deviceId: row.device_id, ...shownState(row), ...(comment && { comment }) },
})
