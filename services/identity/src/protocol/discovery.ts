import { clientGrant } from './client-credentials.ts'
import { ticketGrant } from './permission-ticket.ts'
import type { Call } from '../realms/realm-call.ts'
import { emptyScopes, everyApp, everyOrganization, standardScopes } from '../tokens/scope-rules.ts'

/** OpenID discovery document of the realm, built from the issuer and never from the request. */
export function discovery({ reply, realm: { issuer } }: Call) {
  const protocol = `${issuer}/protocol/openid-connect`
  return reply.header('cache-control', 'public, max-age=300').send({
    issuer,
    authorization_endpoint: `${protocol}/auth`,
    token_endpoint: `${protocol}/token`,
    userinfo_endpoint: `${protocol}/userinfo`,
    end_session_endpoint: `${protocol}/logout`,
    jwks_uri: `${protocol}/certs`,
    check_session_iframe: `${protocol}/login-status-iframe.html`,
    grant_types_supported: ['authorization_code', 'refresh_token', clientGrant, ticketGrant],
    response_types_supported: ['code'],
    response_modes_supported: ['query', 'fragment', 'form_post'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
    code_challenge_methods_supported: ['S256'],
    scopes_supported: [...standardScopes, ...emptyScopes, everyOrganization, everyApp],
    claims_supported: [
      'sub',
      'iss',
      'auth_time',
      'name',
      'given_name',
      'family_name',
      'preferred_username',
      'email',
      'email_verified',
      'acr',
      'amr',
      'sid',
    ],
    claims_parameter_supported: true,
    request_parameter_supported: false,
    request_uri_parameter_supported: false,
    authorization_response_iss_parameter_supported: true,
    ui_locales_supported: ['en', 'de', 'es', 'fr', 'it'],
  })
}

/** Description of the realm at its own address, as Keycloak answers it. */
export const realmFacts = ({ reply, realm: { name, issuer } }: Call) =>
  reply.send({
    realm: name,
    'token-service': `${issuer}/protocol/openid-connect`,
    'account-service': `${issuer}/account`,
    'tokens-not-before': 0,
  })
