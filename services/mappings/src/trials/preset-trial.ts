import { pathReach, reaches } from '@longreach/authorization/can-path'
import {
  type Configuration,
  readConfiguration,
} from '@longreach/device-protocol/read-configuration'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { mappingsContract } from '../contract.ts'
import type { Tree } from '../columns.ts'
import type { MappingsDeps } from '../deps.ts'
import { viewsUsing } from '../models/model-views.ts'
import { noDevice } from '../devices/device-refusals.ts'
import { deviceById, findDevice } from '../devices/device-store.ts'
import { reachOf } from '@longreach/authorization/reach'
import { devicesInSight } from '../reach.ts'
import { walk } from '../tree-rules.ts'
import { compiledPreset } from '../presets/preset-compiling.ts'
import { requirePreset, requireModelOf } from '../presets/preset-handlers.ts'
import { judgedPreset } from '../presets/preset-judgement.ts'
import { findPreset, presetsOfModel, usesOf } from '../presets/preset-store.ts'
import { changesBetween, warningsOf } from '../presets/trial-rules.ts'
import {
  samplesByName,
  rehearsedFormulas,
  rehearsedLeaves,
  type Rehearsing,
  type Samples,
} from './trial-leaves.ts'
import type { Change, TrialLeaf } from '../presets/preset-trial-contract.ts'

const none = { device: null, leaves: [], complete: true }

/** Handler that tries a preset with real values before it is saved. */
export const presetTrial = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'dryRun'> => ({
  dryRun: async ({ body: { data, presetId, deviceId, hours, samples } }, ctx) => {
    const { db } = deps
    const before = presetId ? await requirePreset(db, ctx, presetId) : undefined
    const model = await requireModelOf(db, ctx.organization.resourceId, data)
    const { issues } = await judgedPreset(data, model.json)
    const { nodes } = walk(data)
    const changes = before ? changesBetween(walk(before.json).nodes, nodes) : []
    const uses = await usesFor(deps, ctx, { presetId, modelName: model.name, changes })
    const facts = { issues, warnings: warningsOf(nodes), changes, uses }
    if (issues.length > 0 || !deviceId) return { ...facts, ...none }
    const asked = { data, deviceId, hours, samples: samples ?? {} }
    return { ...facts, ...(await playedOn(deps, ctx, asked)) }
  },
})

type Asked = { presetId: string | null | undefined; modelName: string; changes: readonly Change[] }

async function usesFor(deps: MappingsDeps, ctx: OrgCtx, { presetId, modelName, changes }: Asked) {
  const { db } = deps
  // What is saved goes to the devices of organizations below as well.
  const visible = devicesInSight(ctx, 'read')
  const [use] = presetId ? await usesOf(db, [presetId], visible) : []
  const paths = new Set(changes.map(({ path }) => path))
  const presets: { id: string; name: string; paths: number }[] = []
  // One at a time: each may be large, and others are answered between two.
  for (const { id, name } of await presetsOfModel(db, reachOf(ctx), modelName)) {
    if (id === presetId || paths.size === 0) continue
    const row = await findPreset(db, reachOf(ctx), id)
    const count = row ? countPaths(row.json, paths) : 0
    if (count > 0) presets.push({ id, name, paths: count })
  }
  const asked = { name: modelName, paths: [...paths] }
  const views = paths.size > 0 ? await viewsUsing(deps, ctx, asked) : []
  return { devices: use?.devices ?? 0, applied: use?.applied ?? 0, presets, views }
}

const countPaths = (json: Tree, paths: ReadonlySet<string>) =>
  walk(json).nodes.filter(({ path }) => paths.has(path)).length

type Played = { data: Tree; deviceId: string; hours: number; samples: Samples }

async function playedOn(
  { db, clients }: MappingsDeps,
  ctx: OrgCtx,
  { data, deviceId, hours, samples }: Played,
) {
  // Presets of an organization are for devices of those below too.
  const visible = await findDevice(db, deviceId, devicesInSight(ctx, 'read'))
  const facts = visible && (await deviceById(db, deviceId))
  if (!facts) throw noDevice(deviceId)
  const to = ctx.now.getTime()
  const since = to - hours * 3_600_000
  const device = { deviceId, label: facts.label, since, to }
  const fresh = await configurationOf(data)
  const params = { deviceId }
  const earlier = await clients.platform.earlierConfigurations({ params, query: { since } })
  const texts = [...(facts.compiled === null ? [] : [facts.compiled]), ...earlier]
  const tags = rehearsedLeaves(fresh, {
    had: texts.map(readConfiguration),
    mayRead: historyOf(ctx, facts),
    samples,
  })
  const rehearsing = [...tags, ...rehearsedFormulas(walk(data).nodes, tags, fresh.model)]
  const played = rehearsing.flatMap(({ leaf }) => leaf ?? [])
  const body = { since, to, leaves: played, given: samplesByName(samples) }
  const { leaves, complete } =
    played.length > 0
      ? await clients.platform.rehearse({ params, body })
      : { leaves: [], complete: true }
  const results = new Map(leaves.map((one) => [one.path, one]))
  return { device, leaves: rehearsing.map((one) => trialLeaf(one, results)), complete }
}

type Results = ReadonlyMap<string, Partial<TrialLeaf>>
function trialLeaf(
  { path, source, from, history, sampled, missing }: Rehearsing,
  results: Results,
): TrialLeaf {
  const result = results.get(path)
  const nothing = missing === null && result?.before?.count === 0 ? 'no_values' : missing
  return { ...result, path, source, from, history, sampled, missing: nothing }
}

/** Ids in it do not matter: it is only read here. */
async function configurationOf(json: Tree): Promise<Configuration> {
  return readConfiguration(await compiledPreset({ id: 'trial', uuid: '0'.repeat(16), json }))
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
