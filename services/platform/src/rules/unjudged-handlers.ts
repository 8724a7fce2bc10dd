import { canInSight } from '@longreach/authorization/device-visibility'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { platformContract } from '../contract.ts'
import type { PlatformDeps } from '../deps.ts'
import { deviceFor } from '../devices/device-access.ts'
import type { Directory } from '../devices/device-directory.ts'
import type { rulesContract } from './contract.ts'
import { unjudgedOf } from './rule-unjudged.ts'

/** Handler that answers which late values rules did not judge, on devices that the caller may see. */
export const unjudgedHandlers = (
  { directory }: { directory: Directory },
  { db }: Pick<PlatformDeps, 'db'>,
): Pick<Handlers<typeof rulesContract>, 'unjudgedValues'> => ({
  unjudgedValues: async ({ query: { ruleId, deviceId } }, ctx) => {
    if (ruleId === undefined && deviceId === undefined) {
      const message = 'ruleId or deviceId is needed, to say of what rule or device'
      throw failure(platformContract, 'bad_query', { message, field: 'ruleId' })
    }
    if (deviceId !== undefined) await deviceFor(directory, ctx, deviceId)
    const data = []
    for (const row of await unjudgedOf(db, { ruleId, deviceId })) {
      const device = await directory.get(row.device_id)
      if (!device || !canInSight(ctx, 'read', device)) continue
      data.push({
        deviceId: device.id,
        deviceLabel: device.label,
        ruleId: row.rule_id,
        reason: row.reason,
        from: row.from_t,
        to: row.to_t,
        at: row.at.getTime(),
      })
    }
    return { data }
  },
})
