import { isBelow } from './redirect-rules.ts'

/** The portal of this installation. */
const portalClient = 'portal'
/** Clients in the field that were made for the public wire. */
const fieldClient = 'corvina-web-portal'

/** A program on phones; it asks for permission tickets and renews them. */
export const phoneClient = 'nextel-mobile-app'

/** Where programs on the person's own computer or phone wait for the answer. */
const callbacks: Record<string, string | undefined> = Object.assign(Object.create(null), {
  [fieldClient]: 'http://localhost/callback/',
  [phoneClient]: 'https://localhost/callback',
})

/** The clients of every realm, as the provider wants them. */
export const oauthClients = (origin: string) =>
  [portalClient, fieldClient, phoneClient].map((client_id) => {
    const callback = callbacks[client_id]
    return {
      client_id,
      token_endpoint_auth_method: 'none',
      // The portal warns before the longest life of a session ends.
      require_auth_time: true,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      redirect_uris: callback === undefined ? [`${origin}/`] : [`${origin}/`, callback],
    }
  })

export const isClient = (client: string | undefined) =>
  client === portalClient || client === fieldClient || client === phoneClient

/** One client in the field, where it waits for the answer itself, knows no proof key; every other must bring one. */
export const needsProofKey = (client: string, address: unknown) =>
  client !== fieldClient || address !== callbacks[fieldClient]

/** Sign-in answers go below an origin of the portal, for field clients also to the program where the person is. */
export const mayRedirect = (client: string, address: string, origins: readonly string[]) =>
  origins.some((origin) => isBelow(address, origin)) ||
  (isClient(client) && address === callbacks[client])

/** After signing out, people are led below an origin of the portal only, or back to that program. */
export const mayRedirectAfterLogout = mayRedirect

/** Scripts of which origins may call with the person's cookies. */
export const isWebOrigin = (from: string, origins: readonly string[]) => origins.includes(from)
