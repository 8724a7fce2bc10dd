import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely, Transaction } from 'kysely'
import { mappingsContract } from '../contract.ts'
import type { MappingsDb } from '../database.ts'
import type { MappingsDeps } from '../deps.ts'
import { isWithin, reachOf } from '@longreach/authorization/reach'
import { saveNewModel, saveNextVersion } from './model-keeping.ts'
import { judgeModel, pathsOf } from './model-rules.ts'
import {
  deleteModel,
  findModel,
  lockName,
  type ModelRow,
  newestOfMajor,
  presetOfModel,
  replacePaths,
  setShared,
  versionsOf,
} from './model-store.ts'
import { toModel } from './model-wire.ts'

type Keys =
  | 'createModel'
  | 'model'
  | 'updateModel'
  | 'deleteModel'
  | 'shareModel'
  | 'shareModelByName'

/** Handlers that change models, and read one of them. */
export const modelHandlers = ({
  db,
}: MappingsDeps): Pick<Handlers<typeof mappingsContract>, Keys> => ({
  createModel: async ({ body }, ctx) =>
    db.transaction().execute(async (tx) => {
      const row = await saveNewModel(tx, ctx, body)
      await record(tx, ctx, { action: 'create', row, after: row.json })
      return { ...toModel(row), metadata: pathsOf(judgeModel(row.json).nodes) }
    }),

  model: async ({ params: { id } }, ctx) => toModel(await requireModel(db, ctx, id)),

  updateModel: async ({ params: { id }, body }, ctx) => {
    const before = await changeable(db, ctx, id)
    const value = await db.transaction().execute(async (tx) => {
      const { row, from } = await saveNextVersion(tx, ctx, { before, body })
      await record(tx, ctx, { action: 'update', row, before: from.json, after: row.json })
      return row
    })
    return { value: toModel(value) }
  },

  deleteModel: async ({ params: { id }, query: { allVersions } }, ctx) => {
    const asked = await changeable(db, ctx, id)
    return db.transaction().execute(async (tx) => {
      await lockName(tx, asked.organization, asked.name)
      const reach = { organization: asked.organization, subtree: false }
      const rows = allVersions ? await versionsOf(tx, reach, asked.name) : [asked]
      for (const row of rows) await remove(tx, ctx, row)
      return { ...toModel(rows[0] ?? asked), deleted: true }
    })
  },

  shareModel: async ({ params: { id }, body: { data } }, ctx) => {
    const row = await changeable(db, ctx, id)
    await db.transaction().execute(async (tx) => share(tx, ctx, { rows: [row], shared: data }))
    return { data }
  },

  shareModelByName: async ({ params, body: { data } }, ctx) => {
    const name = params.name.split(':')[0] ?? ''
    return db.transaction().execute(async (tx) => {
      const rows = await versionsOf(tx, reachOf(ctx), name)
      if (rows.length === 0) throw noModel({ name })
      await share(tx, ctx, { rows, shared: data })
      return { data }
    })
  },
})

type Tx = Transaction<MappingsDb>

async function share(
  tx: Tx,
  ctx: OrgCtx,
  { rows, shared }: { rows: readonly ModelRow[]; shared: boolean },
) {
  await setShared(
    tx,
    rows.map(({ id }) => id),
    shared,
  )
  for (const row of rows) {
    const [before, after] = [row.shared, shared].map((subOrgsEnabledToView) => ({
      subOrgsEnabledToView,
    }))
    if (row.shared !== shared) await record(tx, ctx, { action: 'update', row, before, after })
  }
}

/** Delete one version; the version before it says what the paths are then. */
async function remove(tx: Tx, ctx: OrgCtx, row: ModelRow) {
  const preset = await presetOfModel(tx, row)
  if (preset) {
    const own = isWithin(reachOf(ctx), preset.organization)
    throw failure(mappingsContract, 'model_in_use', {
      message: own
        ? `The preset ${preset.name} is made from ${row.name}:${row.version}. Delete it first.`
        : `An organization below has a preset made from ${row.name}:${row.version}. It has to go first.`,
      ...(own && { preset: preset.name }),
    })
  }
  await deleteModel(tx, row.id)
  await record(tx, ctx, { action: 'delete', row, before: row.json })
  const heir = await newestOfMajor(tx, row.organization, row)
  if (heir) await replacePaths(tx, heir, pathsOf(judgeModel(heir.json).nodes))
}

type Done = { action: string; row: ModelRow; before?: unknown; after?: unknown }

const record = (tx: Tx, ctx: OrgCtx, { action, row, ...values }: Done) =>
  recordChange(tx, ctx, {
    resource: 'models',
    action,
    id: row.id,
    label: `${row.name}:${row.version}`,
    organization: row.organization,
    ...values,
  })

/** A model that the caller may see: one in reach, or one that is shared from above. */
export async function requireModel(db: Kysely<MappingsDb>, ctx: OrgCtx, id: string) {
  const row = await findModel(db, reachOf(ctx), id)
  if (row) return row
  throw noModel({ id })
}

/** The model, if its organization is the caller's: others may see and use a shared model, but not change it. */
async function changeable(db: Kysely<MappingsDb>, ctx: OrgCtx, id: string) {
  const row = await requireModel(db, ctx, id)
  if (isWithin(reachOf(ctx), row.organization)) return row
  throw failure(mappingsContract, 'model_not_yours', {
    message: `${row.name} belongs to ${row.organization}, which shares it. Only there can it be changed; make a copy to change it here.`,
    organization: row.organization,
  })
}

const noModel = (details: object) =>
  failure(mappingsContract, 'not_found', {
    message: 'There is no such model here.',
    ...details,
  })
