import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely, Transaction } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb, Tree } from '../database.ts'
import { newId } from '../ids.ts'
import { reachOf } from '../reach.ts'
import type { MappingsDeps } from '../deps.ts'
import type { TreeNode } from '../tree-rules.ts'
import type { Model } from './model-contract.ts'
import {
  changeBetween,
  isNewer,
  judgeModel,
  nestedModels,
  nextVersion,
  pathsOf,
  readName,
  versionParts,
  withInstanceOf,
} from './model-rules.ts'
import {
  deleteModel,
  findModel,
  insertModel,
  lockName,
  modelByVersion,
  type ModelRow,
  newestModel,
  newestOfMajor,
  presetOfModel,
  replacePaths,
} from './model-store.ts'

type Keys = 'validateModel' | 'createModel' | 'model' | 'updateModel' | 'deleteModel'

/** What changes models, and reads one of them. Lists are in model-lists. */
export const modelHandlers = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  validateModel: async ({ body: { modelId, data } }, ctx) => {
    const { issues } = judgeModel(data)
    const before = modelId ? await existing(db, ctx, modelId) : undefined
    const valid = issues.length === 0
    const change = before && valid ? changeBetween(before.json, data) : 'none'
    return {
      modelId: modelId ?? null,
      major: change === 'major',
      minor: change === 'minor',
      patch: change === 'patch',
      valid,
      issues,
    }
  },

  createModel: async ({ body }, ctx) =>
    db.transaction().execute((tx) => createModel(tx, ctx, body)),

  model: async ({ params: { id } }, ctx) => toModel(await existing(db, ctx, id)),

  updateModel: async ({ params: { id }, body }, ctx) => {
    const before = await existing(db, ctx, id)
    const value = await db.transaction().execute((tx) => nextModel(tx, ctx, { before, body }))
    return { value: toModel(value) }
  },

  deleteModel: async ({ params: { id } }, ctx) => {
    const row = await existing(db, ctx, id)
    return db.transaction().execute(async (tx) => {
      await lockName(tx, row.organization, row.name)
      const preset = await presetOfModel(tx, id)
      if (preset) {
        throw failure(mappingsContract, 'model_in_use', {
          message: `The preset ${preset.name} is made from this model. Delete it first.`,
          preset: preset.name,
        })
      }
      await deleteModel(tx, id)
      const heir = await newestOfMajor(tx, row.organization, row)
      if (heir) await replacePaths(tx, heir, pathsOf(judgeModel(heir.json).nodes))
      return { ...toModel(row), deleted: true }
    })
  },
})

type Tx = Transaction<MappingsDb>
type Posted = { name: string; data: Tree }

async function createModel(tx: Tx, ctx: OrgCtx, { name: text, data }: Posted) {
  const { resourceId, realm } = ctx.organization
  const { name, version = '1.0.0' } = nameOf(text)
  const json = withInstanceOf(data, name, version)
  const nodes = judged(json)
  await lockName(tx, resourceId, name)
  if (await modelByVersion(tx, resourceId, { name, version })) {
    throw failure(mappingsContract, 'model_exists', {
      message: `There is a model ${name}:${version}. Change it, or take another name or version.`,
      field: 'name',
    })
  }
  const owner = { organization: resourceId, realm }
  const row = await keep(tx, ctx, { owner, name, version, json, nodes, parentId: null })
  return { ...toModel(row), metadata: pathsOf(nodes) }
}

/** The version that follows the newest one by the size of the change; the newest when nothing changed. */
async function nextModel(
  tx: Tx,
  ctx: OrgCtx,
  { before, body }: { before: ModelRow; body: Posted },
): Promise<ModelRow> {
  const { name, organization, realm } = before
  const asked = nameOf(body.name)
  if (asked.name !== name) {
    throw failure(mappingsContract, 'model_invalid', {
      message: `This model is ${name}. A model with another name is a new model.`,
      field: 'name',
    })
  }
  await lockName(tx, organization, name)
  const newest = (await newestModel(tx, organization, name)) ?? before
  const same = withInstanceOf(body.data, name, newest.version)
  const nodes = judged(same)
  const change = changeBetween(newest.json, same)
  if (change === 'none') return newest
  const least = nextVersion(newest.version, change)
  const named = asked.version
  const version = named !== undefined && isNewer(named, least) ? named : least
  const json = withInstanceOf(body.data, name, version)
  const owner = { organization, realm }
  return keep(tx, ctx, { owner, name, version, json, nodes, parentId: newest.id })
}

type Fresh = {
  owner: { organization: string; realm: string }
  name: string
  version: string
  json: Tree
  nodes: readonly TreeNode[]
  parentId: string | null
}

/** Keep a judged model, and with it the models it contains that are not there yet. */
async function keep(tx: Tx, ctx: OrgCtx, fresh: Fresh) {
  const { owner } = fresh
  for (const { name, version, node, at } of nestedModels(fresh.nodes)) {
    const known = await modelByVersion(tx, owner.organization, { name, version })
    if (known && !['none', 'patch'].includes(changeBetween(known.json, node))) {
      throw failure(mappingsContract, 'model_invalid', {
        message: `${at}: there is a model ${name}:${version} with other properties. Give this one another version.`,
        field: at,
      })
    }
    if (known) continue
    const row = { ...owner, id: newId(), name, version, json: node, parent_id: null }
    await keepRow(tx, row, ctx.now)
  }
  const { name, version, json, parentId } = fresh
  return keepRow(tx, { ...owner, id: newId(), name, version, json, parent_id: parentId }, ctx.now)
}

async function keepRow(tx: Tx, row: Parameters<typeof insertModel>[1], now: Date) {
  const kept = await insertModel(tx, row, now)
  const newest = await newestOfMajor(tx, row.organization, {
    name: row.name,
    major: versionParts(row.version).major,
  })
  if (newest?.id === kept.id) await replacePaths(tx, kept, pathsOf(judgeModel(row.json).nodes))
  return kept
}

function nameOf(text: string) {
  const name = readName(text)
  if (name) return name
  throw failure(mappingsContract, 'model_invalid', {
    message: `"${text}" is no model name: use letters, digits, _ - and dots, and a version as Oven:1.0.0.`,
    field: 'name',
  })
}

/** The nodes of a good tree; the refusal names every place that is wrong. */
function judged(data: Tree): TreeNode[] {
  const { nodes, issues, refersToItself } = judgeModel(data)
  if (issues.length === 0) return nodes
  const message = issues
    .slice(0, 5)
    .map(({ path, message: why }) => `${path || 'data'}: ${why}`)
    .join('; ')
  throw failure(mappingsContract, refersToItself ? 'model_refers_to_itself' : 'model_invalid', {
    message: `The model is not good: ${message}.`,
    issues,
  })
}

async function existing(db: Kysely<MappingsDb>, ctx: OrgCtx, id: string) {
  const row = await findModel(db, reachOf(ctx), id)
  if (row) return row
  throw failure(mappingsContract, 'not_found', { message: 'There is no such model here.', id })
}

export const toModel = ({ json, ...row }: ModelRow): Model => ({
  ...toModelWithoutContent(row),
  json,
})

export const toModelWithoutContent = (row: Omit<ModelRow, 'json'>): Model => ({
  id: row.id,
  realmId: row.realm,
  name: row.name,
  nameRaw: row.name,
  version: row.version,
  orgResourceId: row.organization,
  creationDate: row.created_at.getTime(),
  updatedAt: row.updated_at.getTime(),
  parentId: row.parent_id,
  deleted: false,
})
