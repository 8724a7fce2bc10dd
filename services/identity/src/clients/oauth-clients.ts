import { isBelow } from './redirect-rules.ts'

/** Client id of the portal of this installation. */
const portalClient = 'portal'
/** Client id of programs that were written for the public wire. */
const fieldClient = 'corvina-web-portal'

/** Client id of the mobile app; it asks for permission tickets and renews them. */
export const phoneClient = 'nextel-mobile-app'

/** Redirect addresses of programs that listen on the person’s own computer or phone. */
const callbacks: Record<string, string | undefined> = Object.assign(Object.create(null), {
  [fieldClient]: 'http://localhost/callback/',
  [phoneClient]: 'https://localhost/callback',
})

/** Public clients of every realm, in the form that oidc-provider takes. */
export const oauthClients = (origin: string) =>
  [portalClient, fieldClient, phoneClient].map((client_id) => {
    const callback = callbacks[client_id]
    return {
      client_id,
      token_endpoint_auth_method: 'none',
      // The portal warns before the longest duration of a session ends.
      require_auth_time: true,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: callback === undefined ? [`${origin}/`] : [`${origin}/`, callback],
    }
  })

export const isClient = (client: string | undefined) =>
  client === portalClient || client === fieldClient || client === phoneClient

/**
 * Requirement of PKCE: every request needs a proof key, except those of one existing client that
 * redirects to its own listener.
 */
export const needsProofKey = (client: string, address: unknown) =>
  client !== fieldClient || address !== callbacks[fieldClient]

/**
 * Permission to redirect a sign-in to an address: below an origin of the portal, or to the listener of
 * the client.
 */
export const mayRedirect = (client: string, address: string, origins: readonly string[]) =>
  origins.some((origin) => isBelow(address, origin)) ||
  (isClient(client) && address === callbacks[client])

/** Permission to redirect after sign-out, by the same rule. */
export const mayRedirectAfterLogout = mayRedirect

/** Origins whose scripts may call with the person’s cookies (CORS). */
export const isWebOrigin = (from: string, origins: readonly string[]) => origins.includes(from)
