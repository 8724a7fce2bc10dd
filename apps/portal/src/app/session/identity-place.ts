import type { Settings } from '../../parts/session/settings.ts'

/** Where people of a realm sign in, and what is asked for there. */
export type IdentityPlace = {
  /** Base address of the realms. */
  url: string
  /** The realm as it is called there. */
  realm: string
  /** A Keycloak of the operator, not the house's own service. */
  external: boolean
  /** The scope to ask a token for an organization with; undefined where none is to be asked for. */
  scopeFor: (resourceId: string) => string | undefined
}

/** What the settings say of a realm: the house's own identity at the installation's origin, or a Keycloak. */
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
