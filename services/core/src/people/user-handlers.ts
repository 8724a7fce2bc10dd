import { toContentPage } from '@longreach/kit/contract'
import { failure } from '@longreach/kit/errors'
import { coreContract } from '../contract.ts'
import { searchDeep } from './deep-search.ts'
import { searchMembers } from './member-search.ts'
import { detailsOf, withSignInState } from './person-details.ts'
import { limitNameGuesses, type NamingDeps } from '../memberships/name-guesses.ts'
import { userChanging } from './user-changing.ts'
import type { UserHandlers } from './user-endpoints.ts'
import { userMaking } from './user-making.ts'
import {
  findMember,
  findMemberByName,
  findUserByName,
  findUserBySub,
  toUser,
} from '../directory/user-store.ts'

const nobody = () => failure(coreContract, 'not_found', { message: 'No such person here' })

export const userHandlers = (deps: NamingDeps): UserHandlers => ({
  ...userReadHandlers(deps),
  ...userMaking(deps),
  ...userChanging(deps),
})

const userReadHandlers = (deps: NamingDeps) => {
  const { db } = deps
  return {
    me: async (_, { caller }) => {
      const user = await findUserBySub(db, caller)
      if (!user) throw nobody()
      return toUser(user)
    },

    userExists: async ({ params: { name } }, ctx) => {
      limitNameGuesses(deps, ctx)
      return (await findUserByName(db, ctx.caller.realm, name)) !== undefined
    },

    users: async ({ query }, ctx) => {
      const asked = await withSignInState(deps, ctx, query)
      const { rows, total, last } = await searchMembers(db, ctx.organization, asked)
      const details = query.details ? await detailsOf(deps, ctx, rows) : undefined
      const people = rows.map((row) => ({
        ...toUser(row),
        ...(row.part && { membershipRole: row.part }),
        ...details?.get(row.id),
      }))
      return toContentPage(people, total, { ...query, last })
    },

    deepUsers: async ({ query }, { caller, organization, ip }) => {
      const { rows, total, last } = await searchDeep(db, { caller, organization, ip }, query)
      const people = rows.map(({ places, ...row }) => ({
        ...toUser(row),
        organizations: places.map((resourceId) => ({ resourceId })),
      }))
      return toContentPage(people, total, { ...query, last })
    },

    user: async ({ params }, { organization }) => {
      const user = await findMember(db, organization.id, params.user)
      if (!user) throw nobody()
      return toUser(user)
    },

    userByName: async ({ params }, { organization }) => {
      const user = await findMemberByName(db, organization, params.username)
      if (!user) throw nobody()
      return toUser(user)
    },
  } satisfies Partial<UserHandlers>
}
