import { coreContract } from '@longreach/core/contract'
import { refusals } from '@longreach/kit/refusals'
import { defineService } from '@longreach/kit/service'
import type { FastifyInstance } from 'fastify'
import { identityContract } from '../contract.ts'
import { startCleanup } from '../cleanup-job.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import type { IdentityDb } from '../identity-tables.ts'
import { keycloakAccounts } from './keycloak-accounts.ts'
import {
  issuerOf,
  keycloakAdmin,
  type KeycloakSettings,
  reportKeycloakErrors,
} from './keycloak-admin.ts'
import { keycloakBearers } from './keycloak-bearer.ts'
import { keycloakClients, keycloakLinks, keycloakSecurity } from './keycloak-clients.ts'
import { linkHandlers } from '../links/link-handlers.ts'
import { answerPasswordRequests } from '../links/password-requests.ts'
import { startMailSender } from '../mail/mail-sender.ts'
import { ticketFor, ticketGrant } from '../protocol/permission-ticket.ts'
import { answerByProvider } from '../realms/provider-request.ts'
import { realmsOf } from '../protocol/realm-runtime.ts'

export type { KeycloakSettings } from './keycloak-admin.ts'

/**
 * Identity service for installations whose people, sign-in and sessions are in Keycloak. Accounts are
 * managed through its Admin REST; permission tickets, signed with keys of this product, and mails stay
 * here.
 */
export const keycloakIdentity = (settings: KeycloakSettings) =>
  defineService<IdentityDb>()({
    contract: identityContract,
    needs: { core: coreContract },
    migrations: new URL('../migrations/', import.meta.url),
    handlers: (deps: IdentityDeps) => {
      const keycloak = { deps, settings, ...keycloakAdmin(settings), realmOf: new Map() }
      return {
        ...linkHandlers(deps),
        ...reportKeycloakErrors({
          ...keycloakAccounts(keycloak),
          ...keycloakClients(keycloak),
          ...keycloakSecurity(keycloak),
          ...keycloakLinks(keycloak),
        }),
      }
    },
    mount: async (app, deps) => {
      await app.register(async (scope) => ticketRoutes(scope, deps, settings))
    },
    start: async (deps) => {
      const workers = [
        startCleanup(deps),
        startMailSender(deps, () => answerPasswordRequests(deps)),
      ]
      return { close: async () => void (await Promise.all(workers.map((one) => one.close()))) }
    },
  })

const protocol = '/protocol/openid-connect'

/** Routes of the ticket grant and of the keys of tickets; for everything else clients use Keycloak itself. */
function ticketRoutes(app: FastifyInstance, deps: IdentityDeps, settings: KeycloakSettings) {
  const realms = realmsOf(deps)
  const bearerOf = keycloakBearers(settings)
  const refused = refusals(deps.db, (error) => deps.log.warn(error, 'no trail of a refusal'))
  app.addHook('onClose', () => refused.close())
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit: 64 * 1024 },
    (_, body, done) => done(null, body),
  )
  const find = (params: unknown) => realms.find((params as { realm: string }).realm)
  app.get(`/auth/realms/:realm${protocol}/certs`, async (request, reply) => {
    const realm = await find(request.params)
    if (!realm) return reply.code(404).send({ error: 'Realm does not exist' })
    return answerByProvider({ request, reply, realm }, `${protocol}/certs`)
  })
  app.get('/auth/realms/:realm/.well-known/openid-configuration', async (request, reply) => {
    const realm = await find(request.params)
    if (!realm) return reply.code(404).send({ error: 'Realm does not exist' })
    return reply.redirect(`${issuerOf(settings, realm.name)}/.well-known/openid-configuration`, 307)
  })
  app.post(`/auth/realms/:realm${protocol}/token`, async (request, reply) => {
    const realm = await find(request.params)
    if (!realm) return reply.code(404).send({ error: 'Realm does not exist' })
    const form = new URLSearchParams(typeof request.body === 'string' ? request.body : '')
    if (form.get('grant_type') !== ticketGrant) {
      return reply.code(400).send({ error: 'unsupported_grant_type' })
    }
    const field = (key: string) => form.get(key) ?? undefined
    const call = { deps, realm, request, reply, refused, query: {}, field, form }
    return ticketFor(call, await bearerOf(realm, request.headers.authorization))
  })
}
