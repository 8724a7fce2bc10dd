import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub } from '../directory/user-store.ts'
import { findEnterable } from './organization-store.ts'
import type { treeEndpoints } from './tree-contract.ts'
import { findBelow, pathsBelow, searchTree } from './tree-store.ts'

type TreeHandlers = Pick<Handlers<typeof coreContract>, keyof typeof treeEndpoints>

export const treeHandlers = ({ db }: CoreDeps): TreeHandlers => ({
  tree: async ({ query }, { caller, organization, below }) => {
    const user = await findUserBySub(db, caller)
    if (!user) return toContentPage([], 0, query)
    const { at: wanted = organization.resourceId, search, ...paged } = query
    const at = await findBelow(db, organization.id, wanted)
    const top = await findBelow(db, organization.id, organization.resourceId)
    if (!at || !top) {
      const message = `There is no organization ${wanted} below ${organization.resourceId}`
      throw failure(coreContract, 'not_found', { field: 'at', message })
    }
    const reaching = below && at.private_root === top.private_root
    const asked = { ...paged, at, search, reaching, userId: user.id }
    const { rows, total } = await searchTree(db, asked)
    const ids = rows.map(({ id }) => id)
    const [mayEnter, paths] = await Promise.all([
      findEnterable(db, user.id, ids),
      pathsBelow(db, organization.id, ids),
    ])
    const nodes = rows.map((row) => ({
      id: row.id,
      name: row.name,
      label: row.label,
      resourceId: row.resource_id,
      dataEnabled: row.data_enabled,
      vpnEnabled: row.vpn_enabled,
      dealer: row.dealer,
      privateAccess: row.private_access,
      userCanAccess: mayEnter.has(row.id),
      // Callers who may not enter an organization do not learn how many are below it.
      children: mayEnter.has(row.id) ? (row.children ?? 0) : 0,
      path: paths.get(row.id) ?? [],
    }))
    return toContentPage(nodes, total, query)
  },
})
