import type { Handlers } from '@longreach/kit/service'
import { contextOfAsking } from '../asking.ts'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDeps } from '../deps.ts'
import { listDeviceNames } from './device-list.ts'
import { devicesWhere, filtersOf } from '../search/device-question.ts'

/** The devices of a person's search, for another service. */
export const deviceChosen = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'devicesChosen'> => ({
  devicesChosen: async ({ body }, call) => {
    const ctx = await contextOfAsking(deps, body, call)
    if (!ctx) return { ids: [] }
    const found = await listDeviceNames(
      deps.db,
      await devicesWhere(deps, ctx, filtersOf(body.question)),
    )
    const left = new Set(body.except)
    return { ids: found.flatMap(({ id }) => (left.has(id) ? [] : [id])) }
  },
})
