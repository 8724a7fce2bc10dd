import { reachOf } from '@longreach/authorization/reach'
import { AppError } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { contextOfAsking } from '../asking.ts'
import type { mappingsContract } from '../contract.ts'
import type { Tree } from '../columns.ts'
import type { MappingsDeps } from '../deps.ts'
import { noDevice } from '../devices/device-refusals.ts'
import { deviceById, findDevice } from '../devices/device-store.ts'
import { viewsUsing } from '../models/view-use-store.ts'
import { formulaOf, windowsOf } from '../presets/formula-rules.ts'
import { compiledPreset } from '../presets/preset-compiling.ts'
import { requirePreset, requireModelOf } from '../presets/preset-handlers.ts'
import { judgedPreset } from '../presets/preset-judgement.ts'
import { findPreset, presetsOfModel, usesOf } from '../presets/preset-store.ts'
import type { Change, TrialFormula } from '../presets/preset-trial-contract.ts'
import { compareTrees, warningsOf } from '../presets/trial-rules.ts'
import { devicesInSight } from '../reach.ts'
import { type TreeNode, walk } from '../tree-rules.ts'

/** Handler that judges a preset for its trial: its errors, its changes, what uses it, and what is to be played. */
export const presetTrial = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, 'judgePreset'> => ({
  judgePreset: async ({ body: { data, presetId, deviceId, ...asking } }, call) => {
    const { db } = deps
    const ctx = await contextOfAsking(deps, asking, call)
    if (!ctx)
      throw new AppError(404, 'auth.no_such_organization', { organization: asking.organization })
    const before = presetId ? await requirePreset(db, ctx, presetId) : undefined
    const model = await requireModelOf(db, ctx.organization.resourceId, data)
    const { issues } = await judgedPreset(data, model.json)
    const { nodes } = walk(data)
    const changes = before ? compareTrees(walk(before.json).nodes, nodes) : []
    const uses = await usesFor(deps, ctx, { presetId, modelName: model.name, changes })
    const facts = { issues, warnings: warningsOf(nodes), changes, uses }
    if (issues.length > 0 || !deviceId) return { ...facts, trial: null }
    return { ...facts, trial: await trialOn(deps, ctx, { data, nodes, deviceId }) }
  },
})

type Asked = { presetId: string | null | undefined; modelName: string; changes: readonly Change[] }

async function usesFor({ db }: MappingsDeps, ctx: OrgCtx, { presetId, modelName, changes }: Asked) {
  // What is saved goes to the devices of organizations below as well.
  const visible = devicesInSight(ctx, 'read')
  const [use] = presetId ? await usesOf(db, [presetId], visible) : []
  const paths = new Set(changes.map(({ path }) => path))
  const presets: { id: string; name: string; paths: number }[] = []
  // One at a time: each may be large, and others are answered between two.
  for (const { id, name } of await presetsOfModel(db, reachOf(ctx), modelName)) {
    if (id === presetId || paths.size === 0) continue
    const row = await findPreset(db, reachOf(ctx), id)
    const count = row ? countPathsIn(row.json, paths) : 0
    if (count > 0) presets.push({ id, name, paths: count })
  }
  const asked = { name: modelName, paths: [...paths] }
  const views = paths.size > 0 ? await viewsUsing(db, ctx, asked) : []
  return { devices: use?.devices ?? 0, applied: use?.applied ?? 0, presets, views }
}

const countPathsIn = (json: Tree, paths: ReadonlySet<string>) =>
  walk(json).nodes.filter(({ path }) => paths.has(path)).length

type Trial = { data: Tree; nodes: readonly TreeNode[]; deviceId: string }

async function trialOn({ db }: MappingsDeps, ctx: OrgCtx, { data, nodes, deviceId }: Trial) {
  // Presets of an organization are for devices of those below too.
  const visible = await findDevice(db, deviceId, devicesInSight(ctx, 'read'))
  const device = visible && (await deviceById(db, deviceId))
  if (!device) throw noDevice(deviceId)
  const { label, organization, groups, compiled: present } = device
  // Ids in it do not matter: it is only read.
  const fresh = await compiledPreset({ id: 'trial', uuid: '0'.repeat(16), json: data })
  return { label, organization, groups, present, fresh, formulas: nodes.flatMap(formulaAt) }
}

function formulaAt({ node, path }: TreeNode): TrialFormula[] {
  const text = formulaOf(node)
  if (text === undefined) return []
  const { windows } = windowsOf(node)
  const history = (node['historyPolicy'] as { enabled?: unknown } | undefined)?.enabled !== false // judged
  const type = node['type'] as TrialFormula['type'] // judged
  return [{ path, type, history, text, ...(windows && { windows }) }]
}
