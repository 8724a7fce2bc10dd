import { toContentPage } from '@longreach/kit/contract'
import { localName } from '@longreach/kit/person-name-rules'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub, toUser } from '../directory/user-store.ts'
import { groupChanging } from './group-changing.ts'
import type { GroupHandlers } from './group-endpoints.ts'
import { groupGranting } from './group-granting.ts'
import { requireGroup, checkGroupAccess } from './group-guards.ts'
import { groupJoining } from './group-joining.ts'
import { toGroup } from './group-rules.ts'
import { searchGroups } from './group-search.ts'
import { listGroupMembers, listPartsOf } from './group-store.ts'

export const groupHandlers = (deps: CoreDeps): GroupHandlers => ({
  ...groupReadHandlers(deps),
  ...groupChanging(deps),
  ...groupJoining(deps),
  ...groupGranting(deps),
})

const groupReadHandlers = ({ db }: CoreDeps) =>
  ({
    userGroups: async ({ query }, { organization }) => {
      const username = query.username && localName(query.username, organization.realm)
      const { rows, total } = await searchGroups(db, organization.id, { ...query, username })
      return toContentPage(rows.map(toGroup), total, query)
    },

    userGroup: async ({ params: { group } }, { organization }) =>
      toGroup(await requireGroup(db, organization.id, group)),

    myGroups: async (_, { caller, organization }) => {
      const user = await findUserBySub(db, caller)
      const parts = user ? await listPartsOf(db, organization.id, user.id) : []
      const as = (role: string) => parts.filter((part) => part.role === role).map(({ id }) => id)
      return { adminsOf: as('ADMIN'), usersOf: as('USER') }
    },

    groupMembers: async ({ params: { group } }, ctx) => {
      const { organization } = ctx
      await checkGroupAccess(db, ctx, { group, action: 'read' })
      await requireGroup(db, organization.id, group)
      const rows = await listGroupMembers(db, organization.id, group)
      return rows.map(({ role, ...user }) => ({ ...toUser(user), membershipRole: role }))
    },
  }) satisfies Partial<GroupHandlers>
