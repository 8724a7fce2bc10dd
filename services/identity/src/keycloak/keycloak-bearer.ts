import { createRemoteJWKSet, jwtVerify } from 'jose'
import type { AccessClaims, Bearer } from '../tokens/access-token.ts'
import { localName } from '@longreach/kit/person-name-rules'
import { usernameOfService } from '../clients/client-rules.ts'
import { issuerOf, type KeycloakSettings, keycloakRealmName } from './keycloak-admin.ts'
import type { Realm } from '../realms/realm.ts'
import { platformAudience } from '../tokens/scope-rules.ts'

type PersonClaims = AccessClaims & {
  preferred_username?: string
  given_name?: string
  family_name?: string
  email?: string
  email_verified?: boolean
}

/**
 * Verifier of access tokens of Keycloak, by the keys that its realms publish. Keycloak does not report
 * ended sessions, so a token is valid until it expires; permissions are looked up each time.
 */
export function keycloakBearers(settings: KeycloakSettings) {
  const kept = new Map<string, ReturnType<typeof createRemoteJWKSet>>()
  const keysOf = (issuer: string) => {
    const keys =
      kept.get(issuer) ?? createRemoteJWKSet(new URL(`${issuer}/protocol/openid-connect/certs`))
    kept.set(issuer, keys)
    return keys
  }
  return async (realm: Realm, header: string | undefined): Promise<Bearer | undefined> => {
    const token = /^Bearer ([^\s]+)$/i.exec(header ?? '')?.[1]
    if (token === undefined) return undefined
    const issuer = issuerOf(settings, realm.name)
    const verified = await jwtVerify<PersonClaims>(token, keysOf(issuer), {
      issuer,
      audience: platformAudience,
      algorithms: ['RS256'],
      requiredClaims: ['exp', 'sub', 'azp'],
    }).catch(() => undefined) // an invalid token proves nothing
    if (verified?.payload['typ'] !== 'Bearer') return undefined
    const claims = verified.payload
    // User names there may end in Keycloak’s own name of the realm.
    const name = localName(claims.preferred_username ?? '', keycloakRealmName(settings, realm.name))
    return { claims, account: accountOf(realm.name, name, claims), ends: claims.exp }
  }
}

function accountOf(realm: string, name: string, claims: PersonClaims): Bearer['account'] {
  const { sub, email = '', email_verified: proven = false } = claims
  const program = usernameOfService(name)
  return {
    sub,
    realm,
    username: program ?? localName(name, realm),
    email,
    firstName: claims.given_name ?? '',
    lastName: claims.family_name ?? '',
    enabled: true,
    serviceAccount: program !== undefined,
    emailVerified: proven,
    requiredActions: [],
    passwordHash: null,
  }
}
