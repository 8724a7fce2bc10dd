import { recordChange } from '@longreach/kit/audit-trail'
import { failure } from '@longreach/kit/errors'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import {
  checkUnrestricted,
  checkMayDelete,
  checkOutranks,
  checkOutranksHere,
} from '../access/handing-out.ts'
import { withAdministratorKept } from '../access/last-administrator.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { toCoreError } from '../memberships/account-making.ts'
import { inviteToSetPassword } from './invitation.ts'
import type { UserChange } from './user-contract.ts'
import type { UserHandlers } from './user-endpoints.ts'
import {
  findMember,
  type MemberRow,
  membershipsOf,
  organizationsOfPerson,
  removeMember,
  toUser,
  updateMembership,
  updateUser,
} from '../directory/user-store.ts'

export const userChanging = (deps: CoreDeps) =>
  ({
    updateUser: async ({ params, body }, ctx) => {
      const before = await memberOf(deps, ctx, params.user)
      await checkOutranks(deps, ctx, before)
      if (body.groupPoliciesEnabled !== undefined) checkUnrestricted(ctx)
      if (body.enabled === false && before.sub === ctx.caller.sub) throw refuseOneself()
      checkChange(body, before)
      // Who is let out loses rights first and sessions next; who is let in gets sessions first.
      if (body.enabled !== false) await tellIdentity(deps, before, body)
      const after = await change(deps, ctx, before, body)
      if (body.enabled === false) await tellIdentity(deps, before, body)
      const invited = body.passwordChangeInvitation === true
      const invitation = invited
        ? await inviteToSetPassword(deps, ctx.organization, after)
        : undefined
      return { ...toUser(after), ...(invitation && { invitation }) }
    },

    deleteUser: async ({ params }, ctx) => {
      const user = await memberOf(deps, ctx, params.user)
      await removeFromOrganizations(deps, ctx, user, [ctx.organization.id])
    },

    deleteAccount: async ({ params }, ctx) => {
      const user = await memberOf(deps, ctx, params.user)
      await checkMayDelete(deps, ctx, user)
      await removeFromOrganizations(deps, ctx, user, await membershipsOf(deps.db, user.id))
    },
  }) satisfies Partial<UserHandlers>

/** Out of some organizations; the account goes with the last one. */
export async function removeFromOrganizations(
  deps: CoreDeps,
  ctx: OrgCtx,
  user: MemberRow,
  places: readonly number[],
) {
  await checkOutranksHere(deps, ctx, user)
  const gone = await deps.db.transaction().execute((tx) =>
    withAdministratorKept(tx, places, async () => {
      for (const resourceId of await organizationsOfPerson(tx, user.id)) {
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      }
      let last = false
      for (const place of places) last = await removeMember(tx, place, user.id)
      const what = { resource: 'users', action: 'delete', id: user.id, label: user.username }
      await recordChange(tx, ctx, { ...what, before: { ...toUser(user), account: last } })
      return last
    }),
  )
  if (gone) await deps.clients.identity.deleteAccount({ params: { sub: user.sub } })
}

async function memberOf({ db }: CoreDeps, { organization }: OrgCtx, id: number) {
  const user = await findMember(db, organization.id, id)
  if (!user) throw failure(coreContract, 'not_found', { message: 'No such person here' })
  return user
}

const refuseOneself = () =>
  failure(coreContract, 'oneself', {
    field: 'enabled',
    message: 'You cannot disable yourself; another administrator can',
  })

/** A program has no password and reads no mail. */
function checkChange(body: UserChange, { service_account, enabled }: MemberRow) {
  const field = (['password', 'passwordChangeInvitation'] as const).find((name) => body[name])
  if (field === undefined) return
  if (service_account) {
    const message = 'A service account signs in with its secret; give it a new one instead'
    throw failure(coreContract, 'is_service_account', { field, message })
  }
  if (field === 'passwordChangeInvitation' && !(body.enabled ?? enabled)) {
    const message = 'The account is disabled; enable it first'
    throw failure(coreContract, 'is_disabled', { field, message })
  }
}

async function tellIdentity({ clients }: CoreDeps, user: MemberRow, body: UserChange) {
  const { email, firstName, lastName, password, temporaryPassword, enabled } = body
  const account = {
    ...(email !== undefined && { email: mailOf(email) }),
    ...(firstName !== undefined && { firstName }),
    ...(lastName !== undefined && { lastName }),
    ...(password !== undefined && { password, temporaryPassword: temporaryPassword ?? false }),
    ...(enabled !== undefined && { enabled }),
  }
  if (Object.keys(account).length === 0) return
  await clients.identity
    .updateAccount({ params: { sub: user.sub }, body: account })
    .catch((error: unknown) => {
      throw toCoreError(error, user.username)
    })
}

/** `--` stands for no address. */
const mailOf = (email: string) => (email === '--' ? '' : email)

async function change(deps: CoreDeps, ctx: OrgCtx, before: MemberRow, body: UserChange) {
  const { id: organizationId } = ctx.organization
  const places = body.enabled === false ? await membershipsOf(deps.db, before.id) : []
  return deps.db.transaction().execute((tx) =>
    withAdministratorKept(tx, places, async () => {
      const row = await updateUser(tx, before.id, {
        email: body.email === undefined ? before.email : mailOf(body.email),
        first_name: body.firstName ?? before.first_name,
        last_name: body.lastName ?? before.last_name,
        enabled: body.enabled ?? before.enabled,
      })
      const group_policies_enabled = body.groupPoliciesEnabled ?? before.group_policies_enabled
      const member = { organizationId, userId: before.id }
      await updateMembership(tx, member, { group_policies_enabled })
      const after: MemberRow = { ...row, group_policies_enabled }
      for (const resourceId of await organizationsOfPerson(tx, before.id)) {
        await publish(tx, coreContract.events.permissionsChanged, { resourceId })
      }
      await recordChange(tx, ctx, {
        resource: 'users',
        action: 'update',
        id: before.id,
        label: before.username,
        before: toUser(before),
        after: { ...toUser(after), ...(body.password !== undefined && { password: 'new' }) },
      })
      return after
    }),
  )
}
