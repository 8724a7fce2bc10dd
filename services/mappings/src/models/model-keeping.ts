import { failure } from '@longreach/kit/errors'
import type { OrgCtx } from '@longreach/kit/service'
import type { Transaction } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { Tree } from '../columns.ts'
import { newId } from '../ids.ts'
import type { TreeNode } from '../tree-rules.ts'
import { changeBetween, nextVersion } from './model-changes.ts'
import {
  isNewer,
  judgeModel,
  nestedModels,
  pathsOf,
  readName,
  versionParts,
  withInstanceOf,
} from './model-rules.ts'
import { withNames, withVersions } from './model-settling.ts'
import {
  insertModel,
  lockName,
  modelByVersion,
  type ModelRow,
  newestModel,
  newestOfMajor,
  replacePaths,
} from './model-store.ts'
import { usableModel } from './model-visibility.ts'
import { fillParameters, withoutArguments } from './parameters-contract.ts'

type Tx = Transaction<MappingsDb>
/** Posted model; with `settle`, models inside get names and versions instead of a refusal. */
type Posted = { name: string; data: Tree; settle?: boolean | undefined }
type Changed = Posted & { expected?: string | undefined }

/** Keep a model that is new, and the models that it contains. */
export async function saveNewModel(tx: Tx, ctx: OrgCtx, posted: Posted) {
  const { resourceId: organization, realm } = ctx.organization
  const { name, version = '1.0.0' } = requireName(posted.name)
  const json = await prepared(tx, { ...posted, organization, name })
  if (await modelByVersion(tx, organization, { name, version })) {
    throw failure(mappingsContract, 'model_exists', {
      message: `There is a model ${name}:${version}. Change it, or take another name or version.`,
      field: 'name',
    })
  }
  const before = await newestModel(tx, organization, name)
  const owner = { organization, realm, shared: before?.shared ?? false }
  return keep(tx, ctx, { owner, name, version, json, parentId: null })
}

/** The version that follows the newest one by the size of the change; the newest when nothing changed. */
export async function saveNextVersion(
  tx: Tx,
  ctx: OrgCtx,
  { before, body }: { before: ModelRow; body: Changed },
): Promise<{ row: ModelRow; from: ModelRow }> {
  const { name, organization, realm } = before
  const asked = requireName(body.name)
  if (asked.name !== name) {
    throw failure(mappingsContract, 'model_invalid', {
      message: `This model is ${name}. A model with another name is a new model.`,
      field: 'name',
    })
  }
  const data = await prepared(tx, { ...body, organization, name })
  const newest = (await newestModel(tx, organization, name)) ?? before
  refuseOutdated(newest, body.expected)
  const change = changeBetween(newest.json, data)
  if (change === 'none') return { row: newest, from: newest }
  const least = nextVersion(newest.version, change)
  const named = asked.version
  const version = named !== undefined && isNewer(named, least) ? named : least
  const owner = { organization, realm, shared: newest.shared }
  const row = await keep(tx, ctx, { owner, name, version, json: data, parentId: newest.id })
  return { row, from: newest }
}

function refuseOutdated({ id, version, name }: ModelRow, expected: string | undefined) {
  if (expected === undefined || expected === id) return
  throw failure(mappingsContract, 'model_changed', {
    message: `Meanwhile somebody saved ${name}:${version}. Look at that version, then save again.`,
    newest: id,
    version,
  })
}

/** Models within a model: each is locked and kept beside it. */
const mostInside = 500

/** A judged tree with the writers of its names held off, and with `settle` fitting versions inside. */
async function prepared(
  tx: Tx,
  { organization, name, data, settle }: Posted & { organization: string },
) {
  const root = fillParameters(withInstanceOf(data, name, '1.0.0')).tree
  const named = settle ? withNames(root, name) : root
  const inside = nestedModels(judgedNodes(named)).map((one) => one.name)
  if (new Set(inside).size > mostInside) {
    throw failure(mappingsContract, 'model_invalid', {
      message: `A model contains at most ${mostInside} other models. Make several models of it.`,
      field: 'data',
    })
  }
  // In the same order everywhere, so that two who save at once wait instead of blocking each other.
  for (const one of [...new Set([name, ...inside])].toSorted()) {
    await lockName(tx, organization, one)
  }
  return settle ? withVersions(tx, organization, named) : named
}

type Fresh = {
  owner: { organization: string; realm: string; shared: boolean }
  name: string
  version: string
  json: Tree
  parentId: string | null
}

/** Keep a model, and with it the models it contains that are not there yet. */
async function keep(tx: Tx, ctx: OrgCtx, { owner, name, version, json: tree, parentId }: Fresh) {
  const json = withInstanceOf(tree, name, version)
  for (const { node: given, at, ...inside } of nestedModels(judgedNodes(json))) {
    const node = withoutArguments(given)
    const known = await usableModel(tx, owner.organization, inside)
    if (known && !['none', 'patch'].includes(changeBetween(known.json, node))) {
      throw failure(mappingsContract, 'model_invalid', {
        message: `${at}: there is a model ${inside.name}:${inside.version} with other properties. Give this one another version.`,
        field: at,
      })
    }
    if (known) continue
    await keepRow(tx, { ...owner, ...inside, id: newId(), json: node, parent_id: null }, ctx.now)
  }
  return keepRow(tx, { ...owner, id: newId(), name, version, json, parent_id: parentId }, ctx.now)
}

async function keepRow(tx: Tx, row: Parameters<typeof insertModel>[1], now: Date) {
  const kept = await insertModel(tx, row, now)
  const { major } = versionParts(row.version)
  const newest = await newestOfMajor(tx, row.organization, { name: row.name, major })
  if (newest?.id === kept.id) await replacePaths(tx, kept, pathsOf(judgeModel(row.json).nodes))
  return kept
}

function requireName(text: string) {
  const name = readName(text)
  if (name) return name
  throw failure(mappingsContract, 'model_invalid', {
    message: `"${text}" is no model name: use letters, digits, _ - and dots, and a version as Oven:1.0.0.`,
    field: 'name',
  })
}

/** The nodes of a good tree; the refusal names every place that is wrong. */
function judgedNodes(data: Tree): TreeNode[] {
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
