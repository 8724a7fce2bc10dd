import { pathReach, reaches } from '@longreach/authorization/can-path'
import { readConfiguration } from '@longreach/device-protocol/read-configuration'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { TrialLeaf } from '@longreach/mappings/preset-trial-contract'
import type { Rehearsed, RehearsedLeaf } from '@longreach/mappings/rehearsed-contract'
import type { Point, Series } from '@longreach/telemetry/store'
import { toAsking } from '../asking.ts'
import type { platformContract } from '../contract.ts'
import { textsSince } from '../devices/configuration-history.ts'
import type { PlatformDeps } from '../deps.ts'
import type { OpenTelemetry } from '../telemetry/open-telemetry.ts'
import { withStorageErrors } from '../telemetry/storage-fault.ts'
import { rehearse, type Span, type Streams } from './rehearsal.ts'
import { computedBy } from './rehearsal-formula.ts'
import {
  rehearsedFormulas,
  rehearsedLeaves,
  type Rehearsing,
  type Samples,
  samplesByName,
} from './trial-leaves.ts'

/** Most values and steps of time in one rehearsal. */
const mostSteps = 5_000_000

type Known = { telemetry: OpenTelemetry }

/** Handler that tries a preset before it is saved: mappings judges it, the device's values are played through it here. */
export const rehearsalHandlers = (
  known: Known,
  deps: PlatformDeps,
): Pick<Handlers<typeof platformContract>, 'dryRun'> => ({
  dryRun: async ({ body: { data, presetId, deviceId, hours, samples } }, ctx) => {
    const { trial, ...facts } = await deps.clients.mappings.judgePreset({
      body: { ...toAsking(ctx), data, presetId, deviceId },
    })
    if (!trial || !deviceId) return { ...facts, device: null, leaves: [], complete: true }
    const to = ctx.now.getTime()
    const span = { since: to - hours * 3_600_000, to }
    const earlier = await textsSince(
      deps.db,
      { id: deviceId, org: trial.organization },
      new Date(span.since),
    )
    const texts = [...(trial.present === null ? [] : [trial.present]), ...earlier]
    const fresh = readConfiguration(trial.fresh)
    const given = samples ?? {}
    const tags = rehearsedLeaves(fresh, {
      had: texts.map(readConfiguration),
      mayRead: historyOf(ctx, trial),
      samples: given,
    })
    const rehearsing = [...tags, ...rehearsedFormulas(trial.formulas, tags, fresh.model)]
    const played = rehearsing.flatMap(({ leaf }) => leaf ?? [])
    const device = { id: deviceId, org: trial.organization }
    const { leaves, complete } =
      played.length > 0
        ? await playedOn(known, ctx, { device, leaves: played, given: samplesByName(given), span })
        : { leaves: [], complete: true }
    const results = new Map(leaves.map((one) => [one.path, one]))
    return {
      ...facts,
      device: { deviceId, label: trial.label, ...span },
      leaves: rehearsing.map((one) => trialLeaf(one, results)),
      complete,
    }
  },
})

type Results = ReadonlyMap<string, Partial<TrialLeaf>>

function trialLeaf(
  { path, source, from, history, sampled, missing }: Rehearsing,
  results: Results,
): TrialLeaf {
  const result = results.get(path)
  const nothing = missing === null && result?.before?.count === 0 ? 'no_values' : missing
  return { ...result, path, source, from, history, sampled, missing: nothing }
}

type Placed = { organization: string; groups: readonly number[] }

/** Paths of the device whose past the caller may see. */
function historyOf(ctx: OrgCtx, device: Placed) {
  const { organization } = ctx
  const capability =
    device.organization === organization.resourceId
      ? ctx.capability
      : (ctx.capabilityBelow ?? ctx.capability)
  const reach = organization.dataEnabled ? pathReach(capability, 'history', device.groups) : 'none'
  return (path: string) => reaches(reach, path)
}

type Owned = { id: string; org: string }
type Playing = {
  device: Owned
  leaves: readonly RehearsedLeaf[]
  /** Values that are not stored, by a name that is used as a path. */
  given: Samples
  span: Span
}

/** Stored values of a device as another preset would have let them through. */
const playedOn = (
  { telemetry }: Known,
  { signal }: OrgCtx,
  { device, leaves, given, span }: Playing,
) =>
  withStorageErrors(async () => {
    const store = await telemetry()
    const series = ownSeries(await store.findSeries(device.id), device)
    const read = (path: string) => {
      const points = Object.hasOwn(given, path) ? given[path] : undefined
      if (points) return onePage(points)
      const found = series.get(path)
      return found ? store.read(found.id, { ...span, signal }) : noValues()
    }
    return rehearseAll(leaves, read, span)
  })

const ownSeries = (all: readonly Series[], { org }: Owned) =>
  new Map(all.filter((one) => one.org === org).map((one) => [one.path, one]))

async function* noValues(): AsyncGenerator<Point[]> {}

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
