import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { mustHold } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { findMember, findUserBySub, shownUser } from '../people/user-store.ts'
import { rolesByIds, rolesOfGroups } from '../roles/role-store.ts'
import type { groupEndpoints, UserGroup } from './group-contract.ts'
import {
  deleteGroup,
  deleteGroupRoles,
  deleteMember,
  findGroup,
  type GroupRow,
  insertGroup,
  insertGroupRoles,
  insertMember,
  listGroupMembers,
  listPartsOf,
  searchGroups,
} from './group-store.ts'

type GroupHandlers = Pick<Handlers<typeof coreContract>, keyof typeof groupEndpoints>

const shown = ({ id, name, label, type, organization_id }: GroupRow): UserGroup => ({
  id,
  name,
  label,
  type,
  organizationId: organization_id,
  owner: 'ORGANIZATION',
  groupPoliciesEnabled: false,
})

const missing = (what: string, id: number) =>
  failure(coreContract, 'not_found', { message: `There is no ${what} ${id} in this organization` })

async function groupIn(db: Kysely<CoreDb>, organizationId: number, id: number) {
  const group = await findGroup(db, organizationId, id)
  if (!group) throw missing('group', id)
  return group
}

/** A group that people may fill and empty; those that the product fills itself stay as they are. */
async function openGroupIn(db: Kysely<CoreDb>, organizationId: number, id: number) {
  const group = await groupIn(db, organizationId, id)
  if (group.type === 'STANDARD') return group
  const message = `"${group.label}" is kept by the product: its members follow the organization's people`
  throw failure(coreContract, 'made_by_system', { message })
}

export const groupHandlers = (deps: CoreDeps): GroupHandlers => ({
  ...reading(deps),
  ...changing(deps),
  ...joining(deps),
  ...granting(deps),
})

const reading = ({ db }: CoreDeps) =>
  ({
    userGroups: async ({ query }, { organization }) => {
      const { rows, total } = await searchGroups(db, organization.id, query)
      return toContentPage(rows.map(shown), total, query)
    },

    userGroup: async ({ params: { group } }, { organization }) =>
      shown(await groupIn(db, organization.id, group)),

    myGroups: async (_, { caller, organization }) => {
      const user = await findUserBySub(db, caller.sub)
      const parts = user ? await listPartsOf(db, organization.id, user.id) : []
      const as = (role: string) => parts.filter((part) => part.role === role).map(({ id }) => id)
      return { adminsOf: as('ADMIN'), usersOf: as('USER') }
    },

    groupMembers: async ({ params: { group } }, { organization }) => {
      await groupIn(db, organization.id, group)
      const rows = await listGroupMembers(db, organization.id, group)
      return rows.map(({ role, ...user }) => ({ ...shownUser(user), membershipRole: role }))
    },
  }) satisfies Partial<GroupHandlers>

const changing = (deps: CoreDeps) =>
  ({
    createUserGroup: async ({ body }, ctx) => {
      const { id: organizationId, resourceId } = ctx.organization
      const roles = await mustKnowRoles(deps, organizationId, body.rolesId)
      await mustHold(deps, ctx, roles)
      const members = new Map<number, 'ADMIN' | 'USER'>()
      for (const id of body.regularUserMembersId) members.set(id, 'USER')
      for (const id of body.adminUserMembersId) members.set(id, 'ADMIN')
      return deps.db.transaction().execute(async (tx) => {
        const { name } = body
        const row = {
          organization_id: organizationId,
          name,
          label: name,
          type: 'STANDARD',
        } as const
        const group = await insertGroup(tx, row)
        if (!group) {
          const message = `There is a group "${name}" already`
          throw failure(coreContract, 'name_taken', { field: 'name', message })
        }
        for (const [userId, role] of members) {
          if (!(await findMember(tx, organizationId, userId))) throw notHere(userId)
          await insertMember(tx, { organizationId, groupId: group.id, userId, role })
        }
        const ids = roles.map(({ id }) => id)
        if (ids.length > 0) await insertGroupRoles(tx, organizationId, group.id, ids)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
        return shown(group)
      })
    },

    deleteUserGroup: async ({ params: { group } }, { organization: { id, resourceId } }) => {
      await deps.db.transaction().execute(async (tx) => {
        await openGroupIn(tx, id, group)
        await deleteGroup(tx, id, group)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<GroupHandlers>

const notHere = (userId: number) =>
  failure(coreContract, 'not_in_organization', {
    message: `There is no person ${userId} in this organization`,
  })

const joining = (deps: CoreDeps) =>
  ({
    addGroupMember: async ({ params: { group, user }, query: { role } }, ctx) => {
      const { id: organizationId, resourceId } = ctx.organization
      await openGroupIn(deps.db, organizationId, group)
      await mustHold(deps, ctx, await rolesOfGroups(deps.db, organizationId, [group]))
      await deps.db.transaction().execute(async (tx) => {
        if (!(await findMember(tx, organizationId, user))) throw missing('person', user)
        await insertMember(tx, { organizationId, groupId: group, userId: user, role })
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },

    removeGroupMember: async ({ params: { group, user } }, { organization }) => {
      const { id: organizationId, resourceId } = organization
      await openGroupIn(deps.db, organizationId, group)
      await deps.db.transaction().execute(async (tx) => {
        const gone = await deleteMember(tx, { organizationId, groupId: group, userId: user })
        if (!gone) throw missing('member', user)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<GroupHandlers>

const granting = (deps: CoreDeps) =>
  ({
    addGroupRoles: async ({ params: { group, roles } }, ctx) => {
      const { id: organizationId, resourceId } = ctx.organization
      await groupIn(deps.db, organizationId, group)
      await mustHold(deps, ctx, await mustKnowRoles(deps, organizationId, roles))
      await deps.db.transaction().execute(async (tx) => {
        await insertGroupRoles(tx, organizationId, group, roles)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },

    removeGroupRoles: async ({ params: { group, roles } }, { organization }) => {
      const { id: organizationId, resourceId } = organization
      await groupIn(deps.db, organizationId, group)
      await deps.db.transaction().execute(async (tx) => {
        await deleteGroupRoles(tx, organizationId, group, roles)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<GroupHandlers>

async function mustKnowRoles({ db }: CoreDeps, organizationId: number, ids: readonly number[]) {
  const roles = await rolesByIds(db, organizationId, ids)
  const unknown = ids.find((id) => !roles.some((role) => role.id === id))
  if (unknown !== undefined) throw missing('role', unknown)
  return roles
}
