import { pathReach, reaches } from '@longreach/authorization/can-path'
import {
  type Configuration,
  readConfiguration,
} from '@longreach/device-protocol/read-configuration'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { mappingsContract } from '../contract.ts'
import type { Tree } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { noDevice } from '../devices/device-refusals.ts'
import { deviceById, findDevice } from '../devices/device-store.ts'
import { devicesFor, reachOf } from '../reach.ts'
import { walk } from '../tree-rules.ts'
import { compilePreset } from './compile-preset.ts'
import { existing, modelOf } from './preset-handlers.ts'
import { judgePreset } from './preset-rules.ts'
import { presetsOfModel, usesOf } from './preset-store.ts'
import { changesBetween, warningsOf } from './trial-rules.ts'
import { rehearsedFormulas, rehearsedLeaves, type Rehearsing } from './trial-leaves.ts'
import type { Change, TrialLeaf } from './preset-trial-contract.ts'

const none = { device: null, leaves: [], complete: true }

/** What a preset would do with real values, before it is kept. */
export const presetTrial = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'dryRun'> => ({
  dryRun: async ({ body: { data, presetId, deviceId, hours } }, ctx) => {
    const { db } = deps
    const before = presetId ? await existing(db, ctx, presetId) : undefined
    const model = await modelOf(db, ctx.organization.resourceId, data)
    const { nodes, issues } = judgePreset(data, model.json)
    const changes = before ? changesBetween(walk(before.json).nodes, nodes) : []
    const uses = await usesFor(deps, ctx, { presetId, modelName: model.name, changes })
    const facts = { issues, warnings: warningsOf(nodes), changes, uses }
    if (issues.length > 0 || !deviceId) return { ...facts, ...none }
    return { ...facts, ...(await playedOn(deps, ctx, { data, deviceId, hours })) }
  },
})

type Asked = { presetId: string | null | undefined; modelName: string; changes: readonly Change[] }

async function usesFor({ db }: MappingsDeps, ctx: OrgCtx, { presetId, modelName, changes }: Asked) {
  const visible = devicesFor(ctx, 'read')
  const [use] = presetId ? await usesOf(db, [presetId], visible) : []
  const paths = new Set(changes.map(({ path }) => path))
  const others = await presetsOfModel(db, reachOf(ctx), modelName)
  const presets = others
    .filter(({ id }) => id !== presetId)
    .map(({ id, name, json }) => ({ id, name, paths: countPaths(json, paths) }))
    .filter((one) => one.paths > 0)
  return { devices: use?.devices ?? 0, applied: use?.applied ?? 0, presets }
}

const countPaths = (json: Tree, paths: ReadonlySet<string>) =>
  walk(json).nodes.filter(({ path }) => paths.has(path)).length

type Played = { data: Tree; deviceId: string; hours: number }

async function playedOn(
  { db, clients }: MappingsDeps,
  ctx: OrgCtx,
  { data, deviceId, hours }: Played,
) {
  const visible = await findDevice(db, deviceId, devicesFor(ctx, 'read'))
  const facts = visible && (await deviceById(db, deviceId))
  if (!facts) throw noDevice(deviceId)
  const to = ctx.now.getTime()
  const since = to - hours * 3_600_000
  const device = { deviceId, label: facts.label, since, to }
  const fresh = configurationOf(data)
  const tags = rehearsedLeaves(fresh, {
    now: facts.compiled === null ? undefined : readConfiguration(facts.compiled),
    mayRead: historyOf(ctx, facts.groups),
  })
  const rehearsing = [...tags, ...rehearsedFormulas(walk(data).nodes, tags, fresh.model)]
  const played = rehearsing.flatMap(({ leaf }) => leaf ?? [])
  const body = { since, to, leaves: played }
  const { leaves, complete } =
    played.length > 0
      ? await clients.platform.rehearse({ params: { deviceId }, body })
      : { leaves: [], complete: true }
  const results = new Map(leaves.map((one) => [one.path, one]))
  return { device, leaves: rehearsing.map((one) => trialLeaf(one, results)), complete }
}

type Results = ReadonlyMap<string, Partial<TrialLeaf>>
const trialLeaf = ({ path, source, from, history }: Rehearsing, results: Results): TrialLeaf => ({
  ...results.get(path),
  path,
  source,
  from,
  history,
})

/** Ids in it do not matter: it is only read here. */
function configurationOf(json: Tree): Configuration {
  const text = compilePreset({ id: 'trial', uuid: '0'.repeat(16), json })
  if (text === undefined) throw new Error('A judged preset did not compile')
  return readConfiguration(text)
}

/** Paths of the device whose past the caller may see. */
function historyOf({ capability, organization }: OrgCtx, groups: readonly number[]) {
  const reach = organization.dataEnabled ? pathReach(capability, 'history', groups) : 'none'
  return (path: string) => reaches(reach, path)
}
