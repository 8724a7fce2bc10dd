import { recordChange } from '@longreach/kit/audit-trail'
import { uuid } from '../accounts/account-rules.ts'
import { accountEndpoints } from '../accounts/account-contract.ts'
import { accountHandlers } from '../account/account-handlers.ts'
import { accountBySub } from '../accounts/account-store.ts'
import { type AdminCall, AdminError, noSuchUser, read } from './admin-call.ts'
import {
  MailedActions,
  NewPassword,
  NewUser,
  UserChange,
  userOf,
  KnownUserQuery,
} from './admin-representation.ts'
import { countAccounts, searchAccounts } from './admin-user-store.ts'
import { beginImpersonation, makeImpersonation } from '../sessions/impersonation-store.ts'
import { impersonationSession } from '../impersonation/impersonation.ts'
import { deleteSecondFactor, secondFactorsOf } from '../factors/credential-store.ts'
import { linkEndpoints } from '../links/link-contract.ts'
import { linkHandlers } from '../links/link-handlers.ts'
import { sessionsOf } from '../sessions/session-list.ts'
import { endSession, endSessionsOf } from '../sessions/session-store.ts'
import { startSession } from '../sign-in/start-session.ts'

export const users = async ({ deps, realm, request }: AdminCall) =>
  (await searchAccounts(deps.db, realm.name, read(KnownUserQuery, request.query))).map(userOf)

export const userCount = async ({ deps, realm, request }: AdminCall) =>
  countAccounts(deps.db, realm.name, read(KnownUserQuery, request.query))

export const user = async (call: AdminCall) => userOf(await requireUser(call))

export async function createUser(call: AdminCall) {
  const { deps, realm, request, reply, ctx } = call
  const { username, credentials, enabled, ...facts } = read(NewUser, request.body)
  const [credential] = credentials ?? []
  const body = accountEndpoints.createAccount.body.parse({
    ...withoutNulls(facts),
    realm: realm.name,
    username,
    enabled: enabled ?? false,
    ...(credential && { password: credential.value, temporaryPassword: credential.temporary }),
  })
  const made = await accountHandlers(deps).createAccount({ body }, ctx)
  const { sub } = made as { sub: string }
  await record(call, 'create', { sub, username })
  return reply
    .code(201)
    .header('location', `${deps.site.origin}/auth/admin/realms/${realm.name}/users/${sub}`)
    .send()
}

export async function updateUser(call: AdminCall) {
  const { deps, request, ctx } = call
  const { sub, username } = await requireUser(call)
  const body = withoutNulls(read(UserChange, request.body))
  await accountHandlers(deps).updateAccount({ params: { sub }, body }, ctx)
  await record(call, 'update', { sub, username, after: body })
  return undefined
}

export async function deleteUser(call: AdminCall) {
  const { sub, username } = await requireUser(call)
  await accountHandlers(call.deps).deleteAccount({ params: { sub } }, call.ctx)
  await record(call, 'delete', { sub, username })
  return undefined
}

export async function resetPassword(call: AdminCall) {
  const { deps, request, ctx } = call
  const { sub, username, serviceAccount } = await requireUser(call)
  if (serviceAccount) throw new AdminError(400, { errorMessage: 'A program has no password' })
  const { value: password, temporary: temporaryPassword } = read(NewPassword, request.body)
  const body = { password, temporaryPassword }
  await accountHandlers(deps).updateAccount({ params: { sub }, body }, ctx)
  await record(call, 'resetPassword', { sub, username })
  return undefined
}

export async function userSessions(call: AdminCall) {
  const { sub, username } = await requireUser(call)
  const sessions = await sessionsOf(call.deps.db, sub)
  return sessions.map(({ id, ipAddress, started, lastAccess, clients }) => ({
    id,
    userId: sub,
    username,
    ipAddress,
    start: started.getTime(),
    lastAccess: lastAccess.getTime(),
    clients: Object.fromEntries(clients.map((one) => [one, one])),
  }))
}

/** Second factors of a user, after the password if there is one. */
export async function userCredentials(call: AdminCall) {
  const { sub, passwordHash } = await requireUser(call)
  const factors = await secondFactorsOf(call.deps.db, sub)
  const shown = factors.map(({ id, type, userLabel, createdDate }) => ({
    id,
    type,
    userLabel,
    createdDate: createdDate.getTime(),
  }))
  return passwordHash === null ? shown : [{ id: 'password', type: 'password' }, ...shown]
}

export async function deleteCredential(call: AdminCall) {
  const { sub, username } = await requireUser(call)
  const deleted = await call.deps.db
    .transaction()
    .execute((tx) => deleteSecondFactor(tx, sub, call.param('credential')))
  if (!deleted) throw new AdminError(404, { error: 'Credential not found' })
  await record(call, 'deleteCredential', { sub, username })
  return undefined
}

/** Mail a link to set a password; other actions are refused. */
export async function executeActionsEmail(call: AdminCall) {
  const { deps, request, ctx } = call
  const { sub, username, email } = await requireUser(call)
  read(MailedActions, request.body)
  if (deps.site.mail === undefined || email === '') {
    throw new AdminError(500, { errorMessage: 'Failed to send execute actions email' })
  }
  const body = linkEndpoints.oneTimeLink.body.parse({ purpose: 'password' })
  await linkHandlers(deps).oneTimeLink({ params: { sub }, body }, ctx)
  await record(call, 'executeActionsEmail', { sub, username })
  return undefined
}

export async function logoutUser(call: AdminCall) {
  const { sub, username } = await requireUser(call)
  await call.deps.db.transaction().execute((tx) => endSessionsOf(tx, sub))
  await record(call, 'logout', { sub, username })
  return undefined
}

export async function deleteSession({ deps, realm, param }: AdminCall) {
  await endSession(deps.db, realm.name, param('session'))
  return undefined
}

/** Start a session as this user and answer with its cookie. */
export async function impersonate(call: AdminCall) {
  const { deps, realm, request, reply, ctx } = call
  const { sub, username, enabled, serviceAccount } = await requireUser(call)
  if (!enabled || serviceAccount) {
    throw new AdminError(400, { errorMessage: 'This user cannot be impersonated' })
  }
  const by = { sub: ctx.caller.sub, username: ctx.caller.username }
  const wish = { realm: realm.name, sub, by, secondFactor: false }
  const { token } = await makeImpersonation(deps, wish)
  const acting = { sub, by_sub: by.sub, by_username: by.username, second_factor: false }
  const begun = await startSession(
    { deps, realm, request, reply },
    { ...impersonationSession(acting), claim: (uid) => beginImpersonation(deps, token, uid) },
  )
  if (!begun) throw noSuchUser()
  await record(call, 'impersonate', { sub, username })
  reply.header('set-cookie', begun.cookies)
  return { sameRealm: false, redirect: `${realm.origin}/` }
}

async function requireUser({ deps, realm, param }: AdminCall) {
  const sub = param('user')
  const account = uuid.test(sub) ? await accountBySub(deps.db, sub) : undefined
  if (account?.realm !== realm.name) throw noSuchUser()
  return account
}

/** Facts without null and undefined; Keycloak’s clients send null for a field that stays as it is. */
const withoutNulls = <T extends object>(facts: T) =>
  Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> }

type Change = { sub: string; username: string; after?: object }

/** Record an administration call in the audit trail. */
export const record = (call: AdminCall, action: string, { sub, username, after }: Change) =>
  call.deps.db.transaction().execute((tx) =>
    recordChange(tx, call.ctx, {
      resource: 'users',
      action,
      id: sub,
      label: username,
      ...(after && { after }),
    }),
  )
