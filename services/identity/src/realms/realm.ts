import type { createLocalJWKSet, JWTPayload } from 'jose'
import type { CookieOptions, Provider } from 'oidc-provider'

/** A realm as it runs now: its issuer, keys and OpenID provider. */
export type Realm = {
  name: string
  label: string
  issuer: string
  origin: string
  /** The installation's own origin, and those of the realm's organizations below its host. */
  origins: readonly string[]
  provider: Provider
  sessionCookie: CookieOptions
  handle: ReturnType<Provider['callback']>
  publicKeys: ReturnType<typeof createLocalJWKSet>
  sign: (claims: JWTPayload, type: string) => Promise<string>
}

/** The realms of the installation by their names. */
export type Realms = { find: (name: string) => Promise<Realm | undefined> }
