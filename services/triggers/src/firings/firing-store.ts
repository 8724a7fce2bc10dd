import { type Kysely, sql } from 'kysely'
import type { ChainLink, FiringRow, TriggersDb } from '../database.ts'
import type { Firing } from '../firing-contract.ts'
import { causesOf, heldSince } from './firing-rules.ts'

type Db = Kysely<TriggersDb>

/** Attempts after which a firing that cannot be judged is put aside. */
export const mostTries = 3
/** Time in ms in which a written path may have caused what fires. */
const causeMs = 60_000

/** Counts an attempt at the first firing; after some it waits no more, and stays to be looked at. */
export const putBack = (db: Db, id: string) =>
  sql`update triggers.firing set tries = tries + 1 where id = (
    select min(id) from triggers.firing where trigger_id = ${id} and tries < ${mostTries})`.execute(
    db,
  )

/** Takes the first firings of a trigger that wait, in their order. */
export async function takeFirings(tx: Db, id: string, most: number) {
  const { rows } = await sql<FiringRow>`
    delete from triggers.firing where id in (
      select id from triggers.firing where trigger_id = ${id} and tries < ${mostTries}
      order by id limit ${most})
    returning *`.execute(tx)
  return rows.toSorted((one, other) => one.id - other.id)
}

type Key = { trigger_id: string; device_id: string; instance: string }

export const findFired = (tx: Db, { trigger_id: id, device_id: device, instance }: Key) =>
  tx
    .selectFrom('fired')
    .select(['times', 'ran'])
    .where('trigger_id', '=', id)
    .where('device_id', '=', device)
    .where('instance', '=', instance)
    .executeTakeFirst()

export const saveFired = (tx: Db, key: Key, times: number[]) =>
  tx
    .insertInto('fired')
    .values({ ...key, times })
    .onConflict((conflict) =>
      conflict.columns(['trigger_id', 'device_id', 'instance']).doUpdateSet({ times }),
    )
    .execute()

/** Runs that led to a firing: of the newest write of a path that may have caused it. */
export async function chainBefore(tx: Db, firing: Firing): Promise<ChainLink[]> {
  const row = await tx
    .selectFrom('written_path')
    .select('chain')
    .where('device_id', '=', firing.deviceId)
    .where(sql<boolean>`path = any(${causesOf(firing)}::text[])`)
    .where('at', '>=', new Date(heldSince(firing) - causeMs))
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.chain ?? []
}

/** Times until which actions are throttled for a device, by their uuid. */
export async function throttlesOf(tx: Db, id: string, deviceId: string) {
  const rows = await tx
    .selectFrom('throttle')
    .select(['action', 'until'])
    .where('trigger_id', '=', id)
    .where('device_id', '=', deviceId)
    .execute()
  return new Map(rows.map(({ action, until }) => [action, until.getTime()]))
}
