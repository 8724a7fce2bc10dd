import type { Caller, Handlers } from '@longreach/kit/service'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { listDeviceNames } from './device-list.ts'
import { devicesWhere, filtersOf } from '../search/device-question.ts'

/** The devices of a person's search, for another service. */
export const deviceChosen = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'devicesChosen'> => ({
  devicesChosen: async ({ body }, { now, ip, signal }) => {
    const caller = body.caller as unknown as Caller // another service sends the caller of the first call
    const admission = await deps.admit(caller, body.organization)
    if (!admission) return { ids: [] }
    const subtree = body.subtree && admission.below
    const capability = subtree
      ? (admission.capabilityBelow ?? admission.capability)
      : admission.capability
    const ctx = { ...admission, capability, subtree, caller, now, ip, signal }
    const found = await listDeviceNames(
      deps.db,
      await devicesWhere(deps, ctx, filtersOf(body.question)),
    )
    const left = new Set(body.except)
    return { ids: found.flatMap(({ id }) => (left.has(id) ? [] : [id])) }
  },
})
