import { isBelow } from './redirect-rules.ts'

/** The portal of this installation. */
export const portalClient = 'portal'
/** Clients in the field that were made for the public wire. */
export const fieldClient = 'corvina-web-portal'

const localCallback = 'http://localhost/callback/'

/** The clients of every realm, as the provider wants them. */
export const oauthClients = (origin: string) =>
  [portalClient, fieldClient].map((client_id) => ({
    client_id,
    token_endpoint_auth_method: 'none',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    redirect_uris: client_id === fieldClient ? [`${origin}/`, localCallback] : [`${origin}/`],
  }))

export const isClient = (client: string | undefined) =>
  client === portalClient || client === fieldClient

/** Sign-in answers go below the portal's own origin, for the field client also to a program on the person's computer. */
export const mayRedirect = (client: string, address: string, origin: string) =>
  isBelow(address, origin) || (client === fieldClient && address === localCallback)

/** After signing out, people are led below the portal's own origin only, or back to that program. */
export const mayRedirectAfterLogout = mayRedirect

/** Scripts of which origins may call with the person's cookies. */
export const isWebOrigin = (from: string, origin: string) => from === origin

/** Where forms of the login page may lead in the end: browsers check every step of the redirect. */
export const formTargets = (origin: string) => ["'self'", origin, 'http://localhost']
