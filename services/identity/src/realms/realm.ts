import type { createLocalJWKSet, JWTPayload } from 'jose'
import type { CookieOptions, Provider } from 'oidc-provider'

/** Realm with its issuer, keys and OpenID provider. */
export type Realm = {
  name: string
  label: string
  issuer: string
  origin: string
  /** Origins of the installation and of the organizations below its host. */
  origins: readonly string[]
  provider: Provider
  sessionCookie: CookieOptions
  handle: ReturnType<Provider['callback']>
  publicKeys: ReturnType<typeof createLocalJWKSet>
  sign: (claims: JWTPayload, type: string) => Promise<string>
}

/** Realms of the installation by name. */
export type Realms = { find: (name: string) => Promise<Realm | undefined> }
