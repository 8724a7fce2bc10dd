import { inWorker } from '@longreach/kit/worker-pool'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import type { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { isWithin, reachOf } from '@longreach/authorization/reach'
import { inGroupsOf } from '../reach.ts'
import { changesBetween, heaviestChange, nextVersion } from './model-changes.ts'
import { requireModel } from './model-handlers.ts'
import type { Problem } from './model-contract.ts'
import { judgedText, judgedTree } from './model-judgement.ts'
import { withInstanceOf } from './model-rules.ts'
import { withNames } from './model-settling.ts'
import { newestModel } from './model-store.ts'
import { fillParameters } from './parameters-contract.ts'
import {
  contentOfPreset,
  newerVersions,
  presetsOfName,
  type UsingPreset,
} from './model-usage-store.ts'
import { pathsUsed } from './model-usage.ts'
import { viewsUsing } from './view-use-store.ts'

type Tree = Record<string, unknown>
type Keys = 'validateModel' | 'modelImpact' | 'modelUsage'

/** Handlers that check a tree, and list what uses a model. */
export const modelJudging = (
  deps: MappingsDeps,
): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  validateModel: async ({ body: { modelId, data, text } }, ctx) => {
    const before = modelId ? await requireModel(deps.db, ctx, modelId) : undefined
    const { tree, problems } =
      text === undefined ? await judgedData(data ?? {}) : await judged(text)
    const valid = problems.length === 0
    const changes =
      before && tree && valid ? changesBetween(before.json, fillParameters(tree).tree) : []
    const change = heaviestChange(changes)
    return {
      modelId: modelId ?? null,
      major: change === 'major',
      minor: change === 'minor',
      patch: change === 'patch',
      valid,
      issues: problems.map(({ line: _line, column: _column, ...issue }) => issue),
      problems,
      changes,
    }
  },

  modelImpact: async ({ params: { id }, body: { data } }, ctx) => {
    const { db } = deps
    const row = await requireModel(db, ctx, id)
    const newest = (await newestModel(db, row.organization, row.name)) ?? row
    const { tree: root } = fillParameters(withInstanceOf(data, row.name, newest.version))
    const tree = withNames(root, row.name)
    const { problems } = await judgedData(tree)
    const changes = problems.length === 0 ? changesBetween(newest.json, tree) : []
    const change = heaviestChange(changes)
    const paths = changes.filter(({ kind }) => kind !== 'added').map(({ path }) => path)
    return {
      newest: { id: newest.id, version: newest.version },
      version: nextVersion(newest.version, change),
      change,
      problems,
      changes,
      ...(await usage(db, ctx, { of: row, paths })),
      views: paths.length > 0 ? await viewsUsing(db, ctx, { name: row.name, paths }) : [],
    }
  },

  modelUsage: async ({ params: { id } }, ctx) => {
    const { db } = deps
    const row = await requireModel(db, ctx, id)
    const newer = await newerVersions(db, reachOf(ctx), row)
    const views = await viewsUsing(db, ctx, { name: row.name, paths: [] })
    return { ...(await usage(db, ctx, { of: row, paths: [] })), views, newer }
  },
})

/** Below this many characters a text is judged before another thread would have begun. */
const short = 20_000
const judging = { module: new URL('./model-judgement.ts', import.meta.url), name: 'judgedText' }

const judged = async (text: string): Promise<ReturnType<typeof judgedText>> =>
  text.length < short ? judgedText(text) : inWorker(judging, text)

const judgingTrees = { ...judging, name: 'problemsOfTree' }

async function judgedData(tree: Tree): Promise<{ tree: Tree | undefined; problems: Problem[] }> {
  const json = JSON.stringify(tree)
  if (json.length < short) return judgedTree(tree)
  return { tree, problems: await inWorker<Problem[]>(judgingTrees, json) }
}

type Of = { of: { organization: string; name: string }; paths: readonly string[] }

/** Presets of all versions of a model: those in the caller's reach by name, the others as numbers. */
async function usage(db: Kysely<MappingsDb>, ctx: OrgCtx, { of, paths }: Of) {
  const all = await presetsOfName(db, of, inGroupsOf(ctx, 'read'))
  const reach = reachOf(ctx)
  const owned = isWithin(reach, of.organization)
  const own = all.filter(({ organization }) => isWithin(reach, organization))
  const others = owned ? all.filter((one) => !own.includes(one)) : []
  const used: string[][] = []
  // One at a time: each may be large, and others are answered between two.
  for (const { id } of own) {
    const json = paths.length > 0 ? await contentOfPreset(db, id) : undefined
    used.push(json ? pathsUsed(json, paths) : [])
  }
  return {
    presets: own.map(({ organization, ...preset }, n) => ({
      ...preset,
      orgResourceId: organization,
      paths: used[n] ?? [],
    })),
    others: { presets: others.length, devices: devicesOf(others) },
    devices: devicesOf(own) + devicesOf(others),
  }
}

const devicesOf = (presets: readonly UsingPreset[]) =>
  presets.reduce((sum, { devices }) => sum + devices, 0)
