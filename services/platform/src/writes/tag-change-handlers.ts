import type { Handlers } from '@longreach/kit/service'
import type { platformContract } from '../contract.ts'
import { noteUnjudged } from '../rules/rule-progress.ts'
import { deviceFor } from '../devices/device-access.ts'
import { requireWritable, withoutUnreadable } from './path-writing.ts'
import type { PlatformDeps } from '../deps.ts'
import type { Known } from './known.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { insertBulk } from './tag-bulk.ts'
import { writeTags } from './device-writing.ts'
import { requireSecondPerson } from './second-person.ts'
import { checkRevert, holdValue } from './write-back.ts'
import { recordWrites, valuesBefore } from './write-moments.ts'

type ChangeHandlers = Pick<Handlers<typeof platformContract>, 'writeTags' | 'bulkInsertTags'>

/** Values: written to a device, brought in from elsewhere. */
export function tagChangeHandlers(known: Known, deps: PlatformDeps): ChangeHandlers {
  const { directory, telemetry, ingest } = known
  return {
    writeTags: async ({ params: { deviceId }, body }, ctx) => {
      const device = await deviceFor(directory, ctx, deviceId)
      for (const { modelPath } of body.data) requireWritable(ctx, device, modelPath)
      const { timeoutMs, data: wishes, reason, origin, revert } = body
      await requireSecondPerson(deps.db, device, { wishes })
      if (revert) checkRevert(device, wishes, revert)
      const before = await valuesBefore(known, device, wishes)
      const held = revert && (await holdValue(deps.db, ctx, device, { wishes, revert, origin }))
      const writing = { known, deps, ctx, timeoutMs, isHeld: held !== undefined }
      const data = await writeTags(writing, device, wishes).catch(async (error: unknown) => {
        await held?.failed(error)
        throw error
      })
      // A button that is held is one entry, however often its write is repeated.
      if (held?.isRepeated !== true)
        await recordWrites(deps.db, ctx, device, { wishes, before, written: data, reason, origin })
      const paths = wishes.map(({ modelPath }) => modelPath)
      deps.log.info({ by: ctx.caller.sub, device: device.id, paths }, 'values were written')
      return { data: withoutUnreadable(ctx, device, data) }
    },

    bulkInsertTags: async ({ query: { ifNotExists, alarms }, body }, ctx) => {
      const sum = { inserted: 0, skipped: 0 }
      const oldest = new Map<string, number>()
      for (const { deviceId, modelPath, data } of body) {
        const device = await deviceFor(directory, ctx, deviceId)
        requireWritable(ctx, device, modelPath)
        const {
          inserted,
          skipped,
          oldest: t,
        } = await withStorageErrors(async () =>
          insertBulk(ingest, await telemetry(), { device, modelPath, data }, ifNotExists),
        )
        if (inserted > 0) oldest.set(device.id, Math.min(t, oldest.get(device.id) ?? t))
        sum.inserted += inserted
        sum.skipped += skipped
      }
      // By the process that has the device, from what is stored.
      if (alarms && oldest.size > 0) await noteUnjudged(deps.db, oldest, [], deps.now())
      return sum
    },
  }
}
