import { toContentPage } from '@longreach/kit/contract'
import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import { checkUnrestricted, checkOutranksHere } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findMember, toUser } from '../directory/user-store.ts'
import type { policyEndpoints } from './policy-contract.ts'
import { notInOrganization, requirePolicy, toPolicy } from './policy-access.ts'
import { policySightOf } from './policy-sight.ts'
import {
  deleteUserPolicies,
  insertUserPolicies,
  policiesByIds,
  searchPolicies,
} from './policy-store.ts'
import { listPolicyUsers, listSeers } from './policy-use-store.ts'

type PolicyHandlers = Pick<Handlers<typeof coreContract>, keyof typeof policyEndpoints>

/** People and the device groups that they are restricted to. */
export const policyPeople = (deps: CoreDeps) =>
  ({
    policyUsers: async ({ params: { policy }, query }, { organization }) => {
      await requirePolicy(deps.db, organization.id, policy)
      const { rows, total } = await listPolicyUsers(deps.db, policy, query)
      return toContentPage(rows.map(toUser), total, query)
    },

    policySight: async ({ params: { policy }, query }, ctx) => {
      await requirePolicy(deps.db, ctx.organization.id, policy)
      const { rows, total } = await listSeers(deps.db, policy, query)
      const seen = await Promise.all(rows.map((row) => policySightOf(deps, ctx, { row, policy })))
      return toContentPage(seen, total, query)
    },

    userPolicies: async ({ params: { user }, query }, { organization }) => {
      if (!(await findMember(deps.db, organization.id, user)))
        throw notInOrganization('person', user)
      const asked = { ...query, userId: user }
      const { rows, total } = await searchPolicies(deps.db, organization.id, asked)
      return toContentPage(rows.map(toPolicy), total, query)
    },

    addUserPolicies: async ({ params: { user, policies } }, ctx) => {
      const { id, resourceId } = ctx.organization
      const person = await findMember(deps.db, id, user)
      if (!person) throw notInOrganization('person', user)
      checkOtherPerson(ctx, person)
      // One more group widens what somebody who has some already sees.
      checkUnrestricted(ctx)
      await checkOutranksHere(deps, ctx, person)
      const known = await policiesByIds(deps.db, id, policies)
      const unknown = policies.find((one) => !known.some((policy) => policy.id === one))
      if (unknown !== undefined) throw notInOrganization('device group', unknown)
      await deps.db.transaction().execute(async (tx) => {
        await insertUserPolicies(tx, id, user, policies)
        await recordChange(tx, ctx, {
          resource: 'users',
          action: 'addDeviceGroups',
          id: user,
          label: person.username,
          after: { deviceGroups: policies },
        })
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },

    removeUserPolicies: async ({ params: { user, policies } }, ctx) => {
      const { id, resourceId } = ctx.organization
      const person = await findMember(deps.db, id, user)
      if (!person) throw notInOrganization('person', user)
      checkUnrestricted(ctx)
      await checkOutranksHere(deps, ctx, person)
      await deps.db.transaction().execute(async (tx) => {
        await deleteUserPolicies(tx, id, user, policies)
        await recordChange(tx, ctx, {
          resource: 'users',
          action: 'removeDeviceGroups',
          id: user,
          label: person.username,
          after: { deviceGroups: policies },
        })
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      })
    },
  }) satisfies Partial<PolicyHandlers>

/** Check that callers do not restrict themselves: a restricted person may not lift a restriction. */
function checkOtherPerson({ caller }: OrgCtx, person: { sub: string }) {
  if (person.sub !== caller.sub) return
  const message = 'You would not see the other devices any more and could not undo it'
  throw failure(coreContract, 'oneself', { message })
}
