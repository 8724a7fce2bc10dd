import type { Settings } from '../../parts/session/settings.ts'

/** Address, realm and scope of the identity that people of a realm sign in at. */
export type IdentityPlace = {
  /** Base address of the realms. */
  url: string
  /** Name of the realm there. */
  realm: string
  /** True for a Keycloak of the operator, false for the built-in identity. */
  external: boolean
  /** Scope to request for a token of an organization; undefined: none. */
  scopeFor: (resourceId: string) => string | undefined
}

/** Identity of a realm by the settings: the built-in one at the installation's origin, or a Keycloak. */
export function identityPlace(settings: Settings, realm: string, here: string): IdentityPlace {
  const { origin = here } = settings
  const { identityUrl, identityRealm = realm, identityScope } = settings
  if (typeof identityUrl !== 'string' || identityUrl === '') {
    const scopeFor = (resourceId: string) => `org:${resourceId} app:*`
    return { url: `${origin}/auth`, realm, external: false, scopeFor }
  }
  return {
    url: identityUrl,
    realm: identityRealm,
    external: true,
    // A Keycloak as it comes refuses a scope that it does not know: only what the operator set is sent.
    scopeFor: (resourceId) => identityScope?.replaceAll('{organization}', () => resourceId),
  }
}

/** The organization that a tab remembers as chosen. */
export const chosenIn = (scope: string | undefined) => /^org:(\S+)/.exec(scope ?? '')?.[1]
