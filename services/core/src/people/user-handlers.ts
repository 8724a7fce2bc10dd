import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { mustHold, mustOutrank } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { groupsByIds, insertMember } from '../groups/group-store.ts'
import { rolesOfGroups } from '../roles/role-store.ts'
import { fromIdentity, joinOrganization, makePerson } from './account-making.ts'
import type { CreateUser, userEndpoints } from './user-contract.ts'
import {
  findMember,
  findUserByName,
  findUserBySub,
  removeMember,
  searchMembers,
  shownUser,
  updateUser,
  type UserRow,
} from './user-store.ts'

type UserHandlers = Pick<Handlers<typeof coreContract>, keyof typeof userEndpoints>
const nobody = () => failure(coreContract, 'not_found', { message: 'No such person here' })

export const userHandlers = (deps: CoreDeps): UserHandlers => ({
  ...reading(deps),
  ...making(deps),
  ...changing(deps),
})

const reading = ({ db }: CoreDeps) =>
  ({
    me: async (_, { caller }) => {
      const user = await findUserBySub(db, caller.sub)
      if (!user) throw nobody()
      return shownUser(user)
    },

    userExists: async ({ params: { name } }, { caller }) =>
      (await findUserByName(db, caller.realm, name.trim().toLowerCase())) !== undefined,

    users: async ({ query }, { organization }) => {
      const { rows, total } = await searchMembers(db, organization.id, query)
      return toContentPage(rows.map(shownUser), total, query)
    },

    user: async ({ params }, { organization }) => {
      const user = await findMember(db, organization.id, params.user)
      if (!user) throw nobody()
      return shownUser(user)
    },
  }) satisfies Partial<UserHandlers>

const making = (deps: CoreDeps) =>
  ({
    createUser: async ({ body }, ctx) => {
      const { id, realm } = ctx.organization
      const parts = await partsOf(deps, ctx, body)
      const write = async (tx: Kysely<CoreDb>, user: UserRow) => {
        await join(tx, ctx, user, parts)
        return user
      }
      if (!body.existing) {
        return shownUser(
          await makePerson(deps, { realm, person: personOf(body), now: ctx.now, write }),
        )
      }
      const known = await findUserByName(deps.db, realm, body.username)
      if (!known) throw failure(coreContract, 'not_found', { field: 'username' })
      if (await findMember(deps.db, id, known.id)) {
        const message = `${body.username} is in this organization already`
        throw failure(coreContract, 'username_taken', { field: 'username', message })
      }
      return shownUser(await deps.db.transaction().execute((tx) => write(tx, known)))
    },
  }) satisfies Partial<UserHandlers>

const personOf = ({
  username,
  email,
  firstName,
  lastName,
  password,
  serviceAccount,
}: CreateUser) => ({
  username,
  email: email === '--' ? '' : email,
  firstName,
  lastName,
  serviceAccount,
  ...(password !== undefined && { password }),
})

type Part = { groupId: number; role: 'ADMIN' | 'USER' }

/** The groups that the new person comes into; each must be here, and its roles the caller's to give. */
async function partsOf(deps: CoreDeps, ctx: OrgCtx, body: CreateUser): Promise<Part[]> {
  const parts = new Map<number, Part>()
  for (const groupId of [...body.memberOf, ...body.regularUserOf]) {
    parts.set(groupId, { groupId, role: 'USER' })
  }
  for (const groupId of body.adminUserOf) parts.set(groupId, { groupId, role: 'ADMIN' })
  const ids = [...parts.keys()]
  const known = await groupsByIds(deps.db, ctx.organization.id, ids)
  const missing = ids.find((id) => !known.some((group) => group.id === id))
  if (missing !== undefined) {
    const message = `There is no group ${missing} in this organization`
    throw failure(coreContract, 'not_in_organization', { field: 'memberOf', message })
  }
  await mustHold(deps, ctx, await rolesOfGroups(deps.db, ctx.organization.id, ids))
  return [...parts.values()]
}

async function join(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, parts: Part[]) {
  const { id: organizationId, resourceId } = ctx.organization
  await joinOrganization(tx, organizationId, user)
  for (const part of parts) await insertMember(tx, { organizationId, userId: user.id, ...part })
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
}

const changing = (deps: CoreDeps) =>
  ({
    updateUser: async ({ params, body }, ctx) => {
      const user = await findMember(deps.db, ctx.organization.id, params.user)
      if (!user) throw nobody()
      await mustOutrank(deps, ctx, user)
      const { email, firstName, lastName, password } = body
      const personal = {
        ...(email !== undefined && { email }),
        ...(firstName !== undefined && { firstName }),
        ...(lastName !== undefined && { lastName }),
      }
      const account = { ...personal, ...(password !== undefined && { password }) }
      if (Object.keys(account).length === 0) return shownUser(user)
      await deps.clients.identity
        .updateAccount({ params: { sub: user.sub }, body: account })
        .catch((error: unknown) => {
          throw fromIdentity(error, user.username)
        })
      const change = {
        email: email ?? user.email,
        first_name: firstName ?? user.first_name,
        last_name: lastName ?? user.last_name,
      }
      return shownUser(await updateUser(deps.db, user.id, change))
    },

    deleteUser: async ({ params }, ctx) => {
      const { id, resourceId } = ctx.organization
      const user = await findMember(deps.db, id, params.user)
      if (!user) throw nobody()
      await mustOutrank(deps, ctx, user)
      const wasLast = await deps.db.transaction().execute(async (tx) => {
        const last = await removeMember(tx, id, user.id)
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
        return last
      })
      if (wasLast) await deps.clients.identity.deleteAccount({ params: { sub: user.sub } })
    },
  }) satisfies Partial<UserHandlers>
