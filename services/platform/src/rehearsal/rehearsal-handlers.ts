import type { Rehearsed, RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { Point, Series } from '@longreach/telemetry/store'
import { platformContract } from '../contract.ts'
import { textsSince } from '../devices/configuration-history.ts'
import type { Device } from '../devices/device.ts'
import { rehearse, type Span, type Streams } from './rehearsal.ts'
import { computedBy } from './rehearsal-formula.ts'
import type { PlatformDeps } from '../deps.ts'
import type { DevicesState } from '../devices/devices-state.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { stored } from '../telemetry/storage-fault.ts'

/** Values and turns of the clock that one rehearsal goes through. */
const mostSteps = 5_000_000

/** What stored values would have become under another preset. */
export const rehearsalHandlers = (
  { directory, telemetry }: DevicesState & { telemetry: OpenTelemetry },
  { db }: PlatformDeps,
): Pick<Handlers<typeof platformContract>, 'rehearse' | 'earlierConfigurations'> => ({
  earlierConfigurations: async ({ params: { deviceId }, query: { since } }) => {
    const device = await directory.get(deviceId)
    if (!device) throw failure(platformContract, 'not_found', { deviceId })
    return textsSince(db, device, new Date(since))
  },

  rehearse: async ({ params: { deviceId }, body: { leaves, since, to, given } }, { signal }) => {
    const device = await directory.get(deviceId)
    if (!device) throw failure(platformContract, 'not_found', { deviceId })
    return stored(async () => {
      const store = await telemetry()
      const series = ownSeries(await store.findSeries(deviceId), device)
      const read = (path: string) => {
        const points = given && Object.hasOwn(given, path) ? given[path] : undefined
        if (points) return onePage(points)
        const found = series.get(path)
        return found ? store.read(found.id, { since, to, signal }) : nothing()
      }
      return rehearseAll(leaves, read, { since, to })
    })
  },
})

const ownSeries = (all: readonly Series[], { org }: Device) =>
  new Map(all.filter((one) => one.org === org).map((one) => [one.path, one]))

async function* nothing(): AsyncGenerator<Point[]> {}

async function* onePage(samples: readonly (readonly [number, unknown])[]) {
  yield samples.map(([t, v]): Point => ({ t, v: v as Point['v'], q: 0 })) // as JSON brought it
}

type Read = (path: string) => AsyncIterable<Point[]>

async function rehearseAll(leaves: readonly RehearsedLeaf[], read: Read, span: Span) {
  const done: Rehearsed[] = []
  let left = mostSteps
  for (const leaf of leaves) {
    if (left <= 0) break
    const { result, steps } = await rehearse(leaf, streamsOf(leaf, read), span)
    done.push(result)
    left -= steps
  }
  return { leaves: done, complete: done.length === leaves.length }
}

function streamsOf({ from, watched = {}, formula }: RehearsedLeaf, read: Read): Streams {
  const named = Object.entries(formula?.from ?? watched)
  const compute = formula && computedBy(formula.texts)
  return {
    others: new Map(named.map(([name, path]) => [name, read(path)])),
    ...(from !== undefined && { own: read(from) }),
    ...(compute && { compute }),
  }
}
