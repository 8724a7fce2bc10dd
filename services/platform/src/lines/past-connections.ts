import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import type { ServiceDb } from '../database.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import { after } from './line-store.ts'
import { insertMoments } from '../moments/moment-store.ts'
import { saveDevice, updateState } from '../devices/device-state-store.ts'

type LineChange = { at: Date; connected: boolean }
type Owned = { id: string; org: string; ip: string | null }

/** The line of a device before it was known here. */
export const pastConnectionHandlers = (
  { directory }: Pick<DevicesState, 'directory'>,
  { db }: PlatformDeps,
  graceMs: number,
): Pick<Handlers<typeof platformContract>, 'insertConnections'> => ({
  insertConnections: async ({ params: { deviceId }, body }, { now }) => {
    const device = await directory.get(deviceId)
    if (!device) {
      throw failure(platformContract, 'not_found', { message: `no device ${deviceId}`, deviceId })
    }
    const changes = body.changes.map(([at, connected]) => ({ at: new Date(at), connected }))
    const fault = faultIn(changes, now)
    if (fault !== undefined) throw badChange(fault)
    await saveDevice(db, device, now)
    await db.transaction().execute(async (tx) => {
      const [state] = await sql<{ known: boolean }>`
        select exists (select from platform.connection_event where device_id = ${deviceId}) as known
        from platform.device_state where device_id = ${deviceId} for update`
        .execute(tx)
        .then(({ rows }) => rows)
      if (state?.known) throw badChange('something is known of the line already')
      await insertChanges(tx, { ...device, ip: body.ip ?? null }, changes)
      if (changes.at(-1)?.connected) await expectDevice(tx, deviceId, { now, graceMs })
    })
    return { inserted: changes.length }
  },
})

/** Line of a device that is to connect: without another one it counts as disconnected after a while. */
const expectDevice = (
  tx: Kysely<ServiceDb>,
  deviceId: string,
  { now, graceMs }: { now: Date; graceMs: number },
) =>
  tx
    .insertInto('line')
    .values({
      device_id: deviceId,
      client_id: '',
      node: 0,
      epoch: sql<number>`nextval('platform.line_epoch')`,
      ip: null,
      since: now,
      lost_at: now,
      due: sql<Date>`${after(3 * graceMs)}`,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()

const badChange = (why: string) =>
  failure(platformContract, 'bad_query', { message: `changes: ${why}`, field: 'changes' })

function faultIn(changes: readonly LineChange[], now: Date) {
  for (const [index, { at, connected }] of changes.entries()) {
    const before = changes[index - 1]
    if (at > now) return `${index} is in the future`
    if (before && at <= before.at) return `${index} is no later than the one before`
    if (before?.connected === connected) return `${index} changes nothing`
  }
  return undefined
}

/** Rows of one statement: a statement takes 65535 parameters. */
const atOnce = 2_000

async function insertChanges(
  tx: Kysely<ServiceDb>,
  { id, org, ip }: Owned,
  changes: readonly LineChange[],
) {
  for (let from = 0; from < changes.length; from += atOnce) {
    const rows = changes.slice(from, from + atOnce)
    const values = rows.map(({ at, connected }) => ({
      device_id: id,
      at,
      connected,
      org,
      ip: connected ? ip : null,
    }))
    await tx.insertInto('connection_event').values(values).execute()
  }
  const told = changes.map(({ at, connected }) => ({
    device_id: id,
    org,
    at,
    kind: 'connection',
    made_at: at,
    data: { connected, ip: connected ? ip : null },
  }))
  await insertMoments(tx, told)
  const last = (wanted: boolean) =>
    changes.findLast(({ connected }) => connected === wanted)?.at ?? null
  const newest = changes.at(-1)
  if (!newest) return
  // A device that stays connected causes no other event.
  const { connected, at } = newest
  const value = { deviceId: id, connected, at: at.getTime() }
  await publish(tx, platformContract.events.deviceConnection, value)
  await updateState(tx, id, {
    connected,
    connected_at: last(true),
    disconnected_at: last(false),
  })
}
