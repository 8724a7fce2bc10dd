import { failure } from '@longreach/kit/errors'
import { recordChange } from '@longreach/kit/audit-trail'
import { publish } from '@longreach/kit/events'
import type { OrgCtx } from '@longreach/kit/service'
import type { Kysely } from 'kysely'
import { mustHold } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { groupsByIds, insertGroupRoles, insertMember } from '../groups/group-store.ts'
import { rolesByIds, rolesOfGroups } from '../roles/role-store.ts'
import { joinOrganization, makePerson } from './account-making.ts'
import { invite } from './invitation.ts'
import type { CreateUser, Invitation } from './user-contract.ts'
import type { UserHandlers } from './user-endpoints.ts'
import { findMember, findUserByName, shownUser, type UserRow } from './user-store.ts'

export const userMaking = (deps: CoreDeps) =>
  ({
    createUser: async ({ body }, ctx) => {
      const { user, clientSecret, invitation } = await addToOrganization(deps, ctx, body)
      const shown = { ...shownUser(user), groupPoliciesEnabled: body.groupPoliciesEnabled }
      if (clientSecret === undefined) return { ...shown, ...(invitation && { invitation }) }
      const params = { sub: user.sub }
      const { clientId } = await deps.clients.identity.client({ params })
      return { ...shown, serviceAccountClient: clientId, serviceAccountSecret: clientSecret }
    },
  }) satisfies Partial<UserHandlers>

type Added = { user: UserRow; clientSecret?: string | undefined; invitation?: Invitation }

/** Make a person in the organization of the call, or bring in one whom the realm knows; invites who has no password. */
export async function addToOrganization(
  deps: CoreDeps,
  ctx: OrgCtx,
  body: CreateUser,
  /** What else belongs to the new account, in the same transaction. */
  also?: (tx: Kysely<CoreDb>, user: UserRow) => Promise<void>,
): Promise<Added> {
  const { realm } = ctx.organization
  const place = await placeOf(deps, ctx, body)
  if (body.existing) return { user: await joinKnown(deps, ctx, body.username, place) }
  const made = await makePerson(deps, {
    realm,
    person: personOf(body),
    now: ctx.now,
    write: async (tx, user, clientSecret) => {
      await join(tx, ctx, user, place)
      await also?.(tx, user)
      return { user, clientSecret }
    },
  })
  const invited = body.passwordChangeInvitation || body.password === undefined
  if (body.serviceAccount || !invited) return made
  return { ...made, ...(await invitationOf(deps, ctx, made.user)) }
}

/** The person is there already: without a link the administrator asks for one again. */
async function invitationOf(
  deps: CoreDeps,
  ctx: OrgCtx,
  user: UserRow,
): Promise<{ invitation?: Invitation }> {
  try {
    return { invitation: await invite(deps, ctx.organization, user) }
  } catch (error) {
    deps.log.warn(error, 'a new person got no invitation')
    return {}
  }
}

async function joinKnown(deps: CoreDeps, ctx: OrgCtx, username: string, place: Place) {
  const { id, realm } = ctx.organization
  const known = await findUserByName(deps.db, realm, username)
  if (!known) {
    const message = `Nobody here is named "${username}"`
    throw failure(coreContract, 'not_found', { field: 'username', message })
  }
  if (await findMember(deps.db, id, known.id)) {
    const message = `${username} is in this organization already`
    throw failure(coreContract, 'username_taken', { field: 'username', message })
  }
  await deps.db.transaction().execute((tx) => join(tx, ctx, known, place))
  return known
}

const personOf = ({ email, ...body }: CreateUser) => ({
  username: body.username,
  email: email === '--' ? '' : email,
  firstName: body.firstName,
  lastName: body.lastName,
  serviceAccount: body.serviceAccount,
  emailVerified: body.emailVerified,
  temporaryPassword: body.temporaryPassword,
  ...(body.password !== undefined && !body.serviceAccount && { password: body.password }),
})

type Part = { groupId: number; role: 'ADMIN' | 'USER' }
type Place = { parts: Part[]; roles: number[]; groupPolicies: boolean }

type Wish = Pick<
  CreateUser,
  'memberOf' | 'regularUserOf' | 'adminUserOf' | 'rolesId' | 'groupPoliciesEnabled'
>

/** The groups and roles that the new person gets; each must be here and the caller's to give. */
export async function placeOf({ db, pool }: CoreDeps, ctx: OrgCtx, body: Wish): Promise<Place> {
  const { id } = ctx.organization
  const parts = new Map<number, Part>()
  for (const groupId of [...body.memberOf, ...body.regularUserOf]) {
    parts.set(groupId, { groupId, role: 'USER' })
  }
  for (const groupId of body.adminUserOf) parts.set(groupId, { groupId, role: 'ADMIN' })
  const groups = [...parts.keys()]
  const known = await groupsByIds(db, id, groups)
  const open = known.filter(({ type }) => type === 'STANDARD' || type === 'ALL_USER')
  mustBeAmong(groups, open, { field: 'memberOf', what: 'group to join' })
  const roles = await rolesByIds(db, id, body.rolesId)
  mustBeAmong(body.rolesId, roles, { field: 'rolesId', what: 'role' })
  await mustHold({ pool }, ctx, [...roles, ...(await rolesOfGroups(db, id, groups))])
  const groupPolicies = body.groupPoliciesEnabled
  return { parts: [...parts.values()], roles: [...new Set(body.rolesId)], groupPolicies }
}

function mustBeAmong(
  ids: readonly number[],
  known: readonly { id: number }[],
  { field, what }: { field: string; what: string },
) {
  const missing = ids.find((id) => !known.some((one) => one.id === id))
  if (missing === undefined) return
  const message = `There is no ${what} ${missing} in this organization`
  throw failure(coreContract, 'not_in_organization', { field, message })
}

async function join(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, place: Place) {
  const { id: organizationId } = ctx.organization
  const own = await joinOrganization(tx, organizationId, user, place.groupPolicies)
  if (own && place.roles.length > 0) {
    await insertGroupRoles(tx, organizationId, own.id, place.roles)
  }
  await more(tx, ctx, user, place)
}

async function more(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, place: Place) {
  const { id: organizationId, resourceId } = ctx.organization
  for (const part of place.parts) {
    await insertMember(tx, { organizationId, userId: user.id, ...part })
  }
  await publish(tx, coreContract.events.permissionsChanged, { resourceId })
  await recordChange(tx, ctx, {
    resource: 'users',
    action: 'create',
    id: user.id,
    label: user.username,
    after: { ...shownUser(user), groups: place.parts, roles: place.roles },
  })
}

/** The group of a member alone. */
const ownGroup = (tx: Kysely<CoreDb>, organizationId: number, userId: number) =>
  tx
    .selectFrom('user_group as g')
    .innerJoin('group_member as gm', 'gm.group_id', 'g.id')
    .select('g.id')
    .where('g.organization_id', '=', organizationId)
    .where('g.type', 'in', ['SELF_USER', 'SELF_USER_SERVICE'])
    .where('gm.user_id', '=', userId)
    .executeTakeFirst()

/** Let somebody of the realm in; who is a member already only gets more. */
export async function enter(tx: Kysely<CoreDb>, ctx: OrgCtx, user: UserRow, place: Place) {
  const { id: organizationId } = ctx.organization
  if (!(await findMember(tx, organizationId, user.id))) return join(tx, ctx, user, place)
  const own = await ownGroup(tx, organizationId, user.id)
  if (own && place.roles.length > 0) {
    await insertGroupRoles(tx, organizationId, own.id, place.roles)
  }
  await more(tx, ctx, user, place)
}
