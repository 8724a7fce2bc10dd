import { isDeepStrictEqual } from 'node:util'
import { AppError, failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { platformContract } from '../contract.ts'
import type { ServiceDb } from '../database.ts'
import type { PlatformDeps } from '../deps.ts'
import type { Device } from '../devices/device.ts'
import { shortenValue } from '../devices/device-log.ts'
import { insertMoments } from '../moments/moment-store.ts'
import type { Known } from './known.ts'
import { checkWishes, type Wish, writeHere, type Written } from './tag-writing.ts'
import {
  endWriteBack,
  giveUpBacks,
  keepWriteBack,
  takeDueBacks,
  tryBackAgain,
} from './write-back-store.ts'
import type { WriteBackRow } from './write-back-tables.ts'

/** Longest wait in ms for the confirmation of a value that is written back. */
const timeoutMs = 2_000

type Revert = { v?: unknown; afterMs: number }
type Holding = { wishes: readonly Wish[]; revert: Revert; origin: unknown }

/** Refuses what cannot be written back, before anything is written. */
export function checkRevert(device: Device, wishes: readonly Wish[], { v }: Revert) {
  const [wish, ...more] = wishes
  if (!wish || more.length > 0) {
    throw failure(platformContract, 'bad_value', {
      message: 'revert is of one value; write one path in a call',
      field: 'revert',
    })
  }
  checkWishes(device, [wish, { modelPath: wish.modelPath, v }])
}

/**
 * Notes, before the write, the value to write back. `isRepeated`: the same person holds the same value
 * already. `failed` ends it again when nothing was sent and nothing was held before.
 */
export async function holdValue(
  db: PlatformDeps['db'],
  ctx: OrgCtx,
  device: Device,
  { wishes, revert, origin }: Holding,
) {
  const id = crypto.randomUUID()
  const { modelPath: path = '', v: held } = wishes[0] ?? {}
  const { sub, username } = ctx.caller
  const about = { device_id: device.id, path, org: device.org, by_sub: sub, by_name: username }
  const before = await keepWriteBack(
    db,
    { ...about, id, value: revert.v, held, origin },
    revert.afterMs,
  )
  return {
    isRepeated: before?.by_sub === sub && isDeepStrictEqual(before.held, held ?? null),
    async failed(error: unknown) {
      const isUnsent = error instanceof AppError && error.code === 'platform.device_offline'
      if (isUnsent && !before) await endWriteBack(db, id)
    },
  }
}

type Backs = { known: Known; deps: Pick<PlatformDeps, 'db' | 'now' | 'log' | 'ownProcess'> }

/** Writing back of what is due on devices that are connected to this process; a slow device delays no other. */
export function createWriteBacks({ known, deps }: Backs) {
  const running = new Set<Promise<void>>()
  const begin = (row: WriteBackRow) => {
    const one = writeBack({ known, deps }, row)
      // It stays in the table, and is taken again when the time of this process is over.
      .catch((error: unknown) => deps.log.error({ error }, 'a value could not be written back'))
      .finally(() => running.delete(one))
    running.add(one)
  }
  return {
    async round() {
      for (const row of await takeDueBacks(deps.db, deps.ownProcess.number)) begin(row)
    },
    close: () => Promise.all(running),
  }
}

/** The right was that of the write: it is written back also when the person has lost it meanwhile. */
async function writeBack({ known, deps }: Backs, row: WriteBackRow) {
  const device = await known.directory.get(row.device_id)
  if (device?.org !== row.org) return void (await endWriteBack(deps.db, row.id))
  const wishes = [{ modelPath: row.path, v: row.value }]
  const signal = AbortSignal.timeout(timeoutMs + 1_000)
  try {
    const [written] = await writeHere(known, device, wishes, { timeoutMs, now: deps.now, signal })
    await endWithMoment(deps, row, written?.status ?? 'sent')
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.code === 'platform.device_offline') return void (await tryBackAgain(deps.db, row.id))
    // The preset has changed meanwhile: it can never be written.
    deps.log.warn({ err: error, device: device.id, path: row.path }, 'a value was not written back')
    await endWithMoment(deps, row, 'no_answer')
  }
}

const endWithMoment = ({ db, now }: Backs['deps'], row: WriteBackRow, status: Written['status']) =>
  db.transaction().execute(async (tx) => {
    if (await endWriteBack(tx, row.id)) await recordBack(tx, row, { status, at: now() })
  })

/** Gives up on devices that did not come back in an hour; their time-lines say so. */
export const giveUpOldBacks = ({ db, now }: Pick<PlatformDeps, 'db' | 'now'>) =>
  db.transaction().execute(async (tx) => {
    for (const row of await giveUpBacks(tx))
      await recordBack(tx, row, { status: 'no_answer', at: now() })
  })

/** The time-line says that the platform wrote, and for whom. */
const recordBack = (
  tx: Kysely<ServiceDb>,
  row: WriteBackRow,
  { status, at }: { status: Written['status']; at: Date },
) =>
  insertMoments(tx, [
    {
      device_id: row.device_id,
      org: row.org,
      at,
      kind: 'write',
      path: row.path,
      by_name: row.by_name,
      by_sub: row.by_sub,
      made_at: at,
      data: {
        from: shortenValue(row.held),
        to: shortenValue(row.value),
        status,
        reverted: true,
        ...(row.origin !== null && { origin: row.origin }),
      },
    },
  ])
