import { recordChange } from '@longreach/kit/audit-trail'
import { uuid } from './account-rules.ts'
import { accountEndpoints } from './account-contract.ts'
import { accountHandlers } from './account-handlers.ts'
import { accountBySub } from './account-store.ts'
import { type AdminCall, AdminError, noSuchUser, read } from './admin-call.ts'
import { NewPassword, NewUser, UserChange, userOf, UserQuery } from './admin-representation.ts'
import { countAccounts, searchAccounts, sessionsOfAccount } from './admin-user-store.ts'
import { beginImpersonation, makeImpersonation } from './impersonation-store.ts'
import { sessionOf } from './impersonation.ts'
import { endSession, endSessionsOf } from './session-store.ts'
import { startSession } from './start-session.ts'

export const users = async ({ deps, realm, request }: AdminCall) =>
  (await searchAccounts(deps.db, realm.name, read(UserQuery, request.query))).map(userOf)

export const userCount = async ({ deps, realm, request }: AdminCall) =>
  countAccounts(deps.db, realm.name, read(UserQuery, request.query))

export const user = async (call: AdminCall) => userOf(await existing(call))

export async function createUser(call: AdminCall) {
  const { deps, realm, request, reply, ctx } = call
  const { username, credentials, enabled, ...facts } = read(NewUser, request.body)
  const [credential] = credentials ?? []
  const body = accountEndpoints.createAccount.body.parse({
    ...plain(facts),
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
  const { sub, username } = await existing(call)
  const body = plain(read(UserChange, request.body))
  await accountHandlers(deps).updateAccount({ params: { sub }, body }, ctx)
  await record(call, 'update', { sub, username, after: body })
  return undefined
}

export async function deleteUser(call: AdminCall) {
  const { sub, username } = await existing(call)
  await accountHandlers(call.deps).deleteAccount({ params: { sub } }, call.ctx)
  await record(call, 'delete', { sub, username })
  return undefined
}

export async function resetPassword(call: AdminCall) {
  const { deps, request, ctx } = call
  const { sub, username, serviceAccount } = await existing(call)
  if (serviceAccount) throw new AdminError(400, { errorMessage: 'A program has no password' })
  const { value: password, temporary: temporaryPassword } = read(NewPassword, request.body)
  const body = { password, temporaryPassword }
  await accountHandlers(deps).updateAccount({ params: { sub }, body }, ctx)
  await record(call, 'resetPassword', { sub, username })
  return undefined
}

export async function userSessions(call: AdminCall) {
  const { sub, username } = await existing(call)
  const sessions = await sessionsOfAccount(call.deps.db, call.realm.name, sub)
  return sessions.map((one) => ({ ...one, username }))
}

export async function logoutUser(call: AdminCall) {
  const { sub, username } = await existing(call)
  await call.deps.db.transaction().execute((tx) => endSessionsOf(tx, sub))
  await record(call, 'logout', { sub, username })
  return undefined
}

export async function deleteSession({ deps, realm, param }: AdminCall) {
  await endSession(deps.db, realm.name, param('session'))
  return undefined
}

/** Answers with the session cookie of that person in the realm. */
export async function impersonate(call: AdminCall) {
  const { deps, realm, request, reply, ctx } = call
  const { sub, username, enabled, serviceAccount } = await existing(call)
  if (!enabled || serviceAccount) {
    throw new AdminError(400, { errorMessage: 'This user cannot be impersonated' })
  }
  const by = { sub: ctx.caller.sub, username: ctx.caller.username }
  const wish = { realm: realm.name, sub, by, secondFactor: false }
  const { token } = await makeImpersonation(deps, wish)
  const acting = { sub, by_sub: by.sub, by_username: by.username, second_factor: false }
  const begun = await startSession(
    { deps, realm, request, reply },
    { ...sessionOf(acting), claim: (uid) => beginImpersonation(deps, token, uid) },
  )
  if (!begun) throw noSuchUser()
  await record(call, 'impersonate', { sub, username })
  reply.header('set-cookie', begun.cookies)
  return { sameRealm: false, redirect: `${realm.origin}/` }
}

export async function existing({ deps, realm, param }: AdminCall) {
  const sub = param('user')
  const account = uuid.test(sub) ? await accountBySub(deps.db, sub) : undefined
  if (account?.realm !== realm.name) throw noSuchUser()
  return account
}

/** Keycloak takes null for a field that is left as it is. */
const plain = <T extends object>(facts: T) =>
  Object.fromEntries(
    Object.entries(facts).filter(([, value]) => value !== null && value !== undefined),
  ) as { [K in keyof T]?: NonNullable<T[K]> }

type Change = { sub: string; username: string; after?: object }

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
