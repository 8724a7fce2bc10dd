import { refusals } from '@longreach/kit/refusals'
import type { FastifyInstance } from 'fastify'
import type { RealmDeps } from '../identity-deps.ts'
import { ticketFor, ticketGrant } from '../protocol/permission-ticket.ts'
import { answerByProvider } from '../realms/provider-request.ts'
import type { Realms } from '../realms/realm.ts'
import { issuerOf, type KeycloakSettings } from './keycloak-admin.ts'
import { keycloakBearers } from './keycloak-bearer.ts'

const protocol = '/protocol/openid-connect'

/** The ticket grant and the keys of tickets; for everything else clients go to Keycloak itself. */
export function ticketRoutes(
  app: FastifyInstance,
  { realms, settings, ...deps }: RealmDeps & { realms: Realms; settings: KeycloakSettings },
) {
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
