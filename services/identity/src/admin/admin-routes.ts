import type { FastifyInstance } from 'fastify'
import { administrator } from './admin-caller.ts'
import { type AdminCall, AdminError, asAdminError, read } from './admin-call.ts'
import {
  client,
  clients,
  clientSecret,
  createClient,
  deleteServiceAccount,
  renewClientSecret,
  serviceAccountUser,
} from './admin-clients.ts'
import { NewRealm } from './admin-representation.ts'
import {
  createUser,
  deleteCredential,
  deleteSession,
  deleteUser,
  executeActionsEmail,
  impersonate,
  logoutUser,
  resetPassword,
  updateUser,
  user,
  userCount,
  userCredentials,
  users,
  userSessions,
} from './admin-users.ts'
import { masterRealm } from '../clients/client-rules.ts'
import type { RealmDeps } from '../identity-deps.ts'
import { makeRealm } from '../realms/realm-store.ts'
import type { Realms } from '../realms/realm.ts'

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
type Answer = (call: AdminCall) => Promise<unknown>

/** Part of Keycloak’s Admin REST that this product needs, for clients of realm `master` only. */
const routes: [Method, string, Answer][] = [
  ['GET', '', async ({ realm: { name, label } }) => toAdminRealm(name, label)],
  ['GET', '/users', users],
  ['POST', '/users', createUser],
  ['GET', '/users/count', userCount],
  ['GET', '/users/:user', user],
  ['PUT', '/users/:user', updateUser],
  ['DELETE', '/users/:user', deleteUser],
  ['PUT', '/users/:user/reset-password', resetPassword],
  ['PUT', '/users/:user/execute-actions-email', executeActionsEmail],
  ['GET', '/users/:user/credentials', userCredentials],
  ['DELETE', '/users/:user/credentials/:credential', deleteCredential],
  ['GET', '/users/:user/sessions', userSessions],
  ['POST', '/users/:user/logout', logoutUser],
  ['POST', '/users/:user/impersonation', impersonate],
  ['DELETE', '/sessions/:session', deleteSession],
  ['GET', '/clients', clients],
  ['POST', '/clients', createClient],
  ['GET', '/clients/:client', client],
  ['DELETE', '/clients/:client', deleteServiceAccount],
  ['GET', '/clients/:client/client-secret', clientSecret],
  ['POST', '/clients/:client/client-secret', renewClientSecret],
  ['GET', '/clients/:client/service-account-user', serviceAccountUser],
]

const base = '/auth/admin/realms'

/** Mount the routes. Without an administration client every call is refused: there is no token for it. */
export function adminRoutes(app: FastifyInstance, deps: RealmDeps, realms: Realms) {
  for (const [method, path, answer] of routes) {
    app.route({
      method,
      url: `${base}/:realm${path}`,
      handler: async (request, reply) => {
        const params = request.params as Record<string, string>
        const param = (name: string) => params[name] ?? ''
        const ctx = await administrator(deps, realms, request, param('realm'))
        if (!ctx) return reply.code(401).send({ error: 'HTTP 401 Unauthorized' })
        // The master realm has no users, and its clients come from the console.
        const name = param('realm')
        const realm = name === masterRealm ? undefined : await realms.find(name)
        if (!realm) return reply.code(404).send({ error: 'Realm not found.' })
        const call = { deps, realms, realm, request, reply, ctx, param }
        return refusable(reply, () => answer(call))
      },
    })
  }
  app.get(base, async (request, reply) => {
    const ctx = await administrator(deps, realms, request, masterRealm)
    if (!ctx) return reply.code(401).send({ error: 'HTTP 401 Unauthorized' })
    return refusable(reply, async () => {
      const all = await deps.db
        .selectFrom('realm')
        .select(['name', 'label'])
        .orderBy('name')
        .execute()
      return all.map(({ name, label }) => toAdminRealm(name, label))
    })
  })
  app.post(base, async (request, reply) => {
    const ctx = await administrator(deps, realms, request, masterRealm)
    if (!ctx) return reply.code(401).send({ error: 'HTTP 401 Unauthorized' })
    return refusable(reply, async () => {
      const { realm, displayName } = read(NewRealm, request.body)
      if (await realms.find(realm)) {
        throw new AdminError(409, { errorMessage: `Realm ${realm} already exists` })
      }
      const facts = { name: realm, label: displayName ?? realm, now: deps.now() }
      await makeRealm(deps.db, deps.secrets, facts)
      return reply.code(201).header('location', `${deps.site.origin}${base}/${realm}`).send()
    })
  })
}

type Reply = AdminCall['reply']

async function refusable(reply: Reply, answer: () => Promise<unknown>) {
  reply.header('cache-control', 'no-store')
  try {
    const body = await answer()
    if (reply.sent) return reply
    return body === undefined ? await reply.code(204).send() : await reply.send(body)
  } catch (error) {
    const refusal = asAdminError(error)
    if (refusal instanceof AdminError) return reply.code(refusal.status).send(refusal.body)
    throw refusal
  }
}

const toAdminRealm = (realm: string, displayName: string) => ({
  id: realm,
  realm,
  displayName,
  enabled: true,
})
