import type { OrgCtx } from '@longreach/kit/service'
import type { PlatformDeps } from '../deps.ts'
import { askerOf } from '../devices/asker.ts'
import { baseOf, type Device } from '../devices/device.ts'
import type { Known } from './known.ts'
import { writeElsewhere } from './node-write.ts'
import { endBacksOf } from './write-back-store.ts'
import { checkWishes, notConnected, type Wish, writeHere } from './tag-writing.ts'

type Writing = {
  known: Known
  deps: PlatformDeps
  ctx: OrgCtx
  timeoutMs: number
  /** Id of the request of this write that a second person has agreed to. */
  approved?: string
  /** The value is written back later; another write to its paths ends that. */
  isHeld?: boolean
}

/** Writes values to a device, by this process or by the one that the device is connected to. */
export async function writeTags(writing: Writing, device: Device, wishes: readonly Wish[]) {
  const written = await writeWhereItIs(writing, device, wishes)
  const paths = wishes.map(({ modelPath }) => modelPath)
  if (writing.isHeld !== true) await endBacksOf(writing.deps.db, device.id, paths)
  return written
}

async function writeWhereItIs(
  { known, deps, ctx, timeoutMs, approved }: Writing,
  device: Device,
  wishes: readonly Wish[],
) {
  if (known.mqtt.endpoint?.isConnected(baseOf(device)) === true) {
    return writeHere(known, device, wishes, { timeoutMs, now: deps.now, signal: ctx.signal })
  }
  checkWishes(device, wishes)
  const written = await writeElsewhere(deps, device, wishes, {
    asker: askerOf(ctx),
    timeoutMs,
    approved,
  })
  if (!written) throw notConnected(device)
  return written
}
