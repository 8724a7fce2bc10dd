import { failure } from '@longreach/kit/errors'
import type { Handlers, OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { removeFromOrganizations } from '../people/user-changing.ts'
import { CreateUser } from '../people/user-contract.ts'
import { addToOrganization } from '../people/user-making.ts'
import { mayGrant } from '../access/handing-out.ts'
import { findMember } from '../directory/user-store.ts'
import { ownGroup } from '../policies/device-own-group.ts'
import { insertUserPolicies } from '../policies/policy-store.ts'
import { rolesByIds, searchRoles } from '../roles/role-store.ts'
import { deviceFor, noDevice } from './device-access.ts'
import type { deviceAccountEndpoints } from './device-account-contract.ts'

type AccountHandlers = Pick<Handlers<typeof coreContract>, keyof typeof deviceAccountEndpoints>
/**
 * Default roles of a device's account, of those that the caller may give: everything on its device,
 * which it is restricted to, and the rights of operators in the organization.
 */
const usualRoleNames = ['data_administrator', 'app_operator']
const everyRole = { page: 0, pageSize: 1_000 }

/** A service account for a device: named like it, and restricted to its own group. */
export const deviceAccount = (deps: CoreDeps): AccountHandlers => ({
  deviceAccount: async ({ params: { device } }, ctx) => {
    await deviceFor(deps, ctx, { id: device, action: 'read' })
    const user = await selectDeviceAccount(deps.db, ctx, device)
    return { account: user ? await toDeviceAccount(deps.db, ctx, user) : null }
  },

  createDeviceAccount: async ({ params: { device: id }, body }, ctx) => {
    const { db } = deps
    const device = await deviceFor(deps, ctx, { id, action: 'update' })
    const own = await ownGroup(db, id)
    // It is a member of the organization that the device is in, not of one above.
    if (!own || device.resource_id !== ctx.organization.resourceId) throw noDevice(id)
    if (await selectDeviceAccount(db, ctx, id)) throw deviceAccountTaken(device.label)
    const rolesId = body.rolesId ?? (await usualRoles(deps, ctx))
    const asked = { username: usernameOf(device.label), email: '--', serviceAccount: true, rolesId }
    const { user, clientSecret = '' } = await addToOrganization(
      deps,
      ctx,
      CreateUser.parse(asked),
      async (tx, made) => {
        const row = { device_id: id, organization_id: ctx.organization.id, user_id: made.id }
        await tx.insertInto('device_account').values(row).execute()
        await insertUserPolicies(tx, ctx.organization.id, made.id, [own.id])
      },
    )
    const { client } = await deps.clients.identity.account({ params: { sub: user.sub } })
    return {
      ...(await toDeviceAccount(db, ctx, user)),
      client: client?.clientId ?? '',
      clientSecret,
    }
  },

  deleteDeviceAccount: async ({ params: { device: id } }, ctx) => {
    await deviceFor(deps, ctx, { id, action: 'update' })
    const account = await selectDeviceAccount(deps.db, ctx, id)
    const user = account && (await findMember(deps.db, ctx.organization.id, account.id))
    if (!user) {
      throw failure(coreContract, 'not_found', { message: 'The device has no service account' })
    }
    await removeFromOrganizations(deps, ctx, user, [ctx.organization.id])
  },
})

const selectDeviceAccount = (db: Kysely<CoreDb>, { organization }: OrgCtx, device: string) =>
  db
    .selectFrom('device_account as a')
    .innerJoin('app_user as u', 'u.id', 'a.user_id')
    .innerJoin('membership as m', (join) =>
      join.onRef('m.user_id', '=', 'u.id').onRef('m.organization_id', '=', 'a.organization_id'),
    )
    .select(['u.id', 'u.username'])
    .where('a.device_id', '=', device)
    .where('a.organization_id', '=', organization.id)
    .executeTakeFirst()

async function toDeviceAccount(
  db: Kysely<CoreDb>,
  { organization }: OrgCtx,
  { id, username }: { id: number; username: string },
) {
  const rows = await db
    .selectFrom('group_role as gr')
    .innerJoin('group_member as gm', 'gm.group_id', 'gr.group_id')
    .innerJoin('role as r', 'r.id', 'gr.role_id')
    .select('r.label')
    .distinct()
    .where('gm.user_id', '=', id)
    .where('gr.organization_id', '=', organization.id)
    .orderBy('r.label')
    .execute()
  return { userId: id, username, roles: rows.map(({ label }) => label) }
}

async function usualRoles(deps: CoreDeps, ctx: OrgCtx) {
  const ids: number[] = []
  for (const name of usualRoleNames) {
    const { id } = ctx.organization
    const { rows } = await searchRoles(deps.db, id, { ...everyRole, name })
    const found = rows.map((role) => role.id)
    const roles = await rolesByIds(deps.db, id, found)
    if (await mayGrant(deps, ctx, roles)) ids.push(...found)
  }
  return ids
}

/** A user name as near to the device's label as user names may be. */
const usernameOf = (label: string) =>
  label
    .trim()
    .toLowerCase()
    .replaceAll(/[\s/\\@:]+/g, '-')
    .slice(0, 200)

const deviceAccountTaken = (label: string) =>
  failure(coreContract, 'username_taken', {
    field: 'username',
    message: `"${label}" has a service account already`,
  })
