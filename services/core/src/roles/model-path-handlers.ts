import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import type { modelPathEndpoints } from './model-path-contract.ts'
import { badPath, noModelPath, pathOf } from './model-path-rows.ts'
import {
  deleteModelPath,
  ensureModelPaths,
  modelPathsByIds,
  rolesWithPath,
  searchModelPaths,
} from './model-path-store.ts'
import { changeRole, requireRole } from './role-changing.ts'
import { toModelPath, toModelPaths } from './role-wire.ts'

type ModelPathHandlers = Pick<Handlers<typeof coreContract>, keyof typeof modelPathEndpoints>

export const modelPathHandlers = (deps: CoreDeps): ModelPathHandlers => ({
  modelPaths: async ({ query }, { organization }) => {
    const { rows, total } = await searchModelPaths(deps.db, organization.id, query)
    return toContentPage(rows.map(toModelPath), total, query)
  },

  createModelPath: async ({ body }, { organization, now }) => {
    if (body.realm !== undefined && body.realm !== organization.realm) {
      throw badPath('realm', `This organization is in the realm ${organization.realm}`)
    }
    const [made] = await ensureModelPaths(deps.db, organization.id, [pathOf(body)], now)
    if (!made) throw badPath('path', 'The path went while it was made; try again')
    return toModelPath(made)
  },

  deleteModelPath: async ({ params: { modelPath } }, { organization }) => {
    await deps.db.transaction().execute(async (tx) => {
      const [known] = await modelPathsByIds(tx, organization.id, [modelPath])
      if (!known) throw noModelPath(modelPath)
      const roles = await rolesWithPath(tx, modelPath)
      if (roles.length > 0) {
        const message = `Roles name this path: ${roles.map(({ label }) => label).join(', ')}`
        throw failure(coreContract, 'in_use', { roles, message })
      }
      await deleteModelPath(tx, organization.id, modelPath)
    })
  },

  modelPathPermissions: async ({ params: { role } }, { organization }) =>
    toModelPaths(await requireRole(deps.db, organization.id, role)),

  setModelPathPermissions: async ({ params: { role }, body }, ctx) =>
    toModelPaths(await changeRole(deps, ctx, role, { modelPathPermissions: body })),
})
