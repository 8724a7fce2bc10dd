import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client'
import { failure } from '@longreach/kit/errors'
import { uuid } from '../account/account-rules.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'

export type KeycloakSettings = {
  /** `https://id.example.org` or `https://id.example.org/auth`, without a slash at the end. */
  url: string
  clientId: string
  secret: string
  /** Names of ours that are called otherwise there. */
  realms: ReadonlyMap<string, string>
}

export const theirRealm = ({ realms }: KeycloakSettings, name: string) => realms.get(name) ?? name
export const issuerOf = (settings: KeycloakSettings, name: string) =>
  `${settings.url}/realms/${encodeURIComponent(theirRealm(settings, name))}`

const renewedBeforeMs = 10_000
const timeout = 10_000

/** Keycloak's management, by a client of its realm `master` that may administer the others. */
export function keycloakAdmin(settings: KeycloakSettings) {
  const { url, clientId, secret } = settings
  const admin = new KeycloakAdminClient({ baseUrl: url, timeout })
  let held: { token: string; until: number } | undefined
  const getAccessToken = async () => {
    if (held && held.until > Date.now()) return held.token
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
      signal: AbortSignal.timeout(timeout),
    })
    if (!answer.ok) throw new Error(`Keycloak refused ${clientId}: ${answer.status}`)
    const { access_token: token, expires_in: s } = (await answer.json()) as {
      access_token: string
      expires_in: number
    }
    held = { token, until: Date.now() + s * 1000 - renewedBeforeMs }
    return token
  }
  admin.registerTokenProvider({ getAccessToken })
  return admin
}

export type Keycloak = {
  deps: IdentityDeps
  settings: KeycloakSettings
  admin: KeycloakAdminClient
  /** The realm (our name) that an account is in, once it was met. */
  realmOf: Map<string, string>
}

/** The HTTP status with which Keycloak refused; undefined for any other trouble. */
export const statusOf = (error: unknown) =>
  error instanceof NetworkError ? error.response.status : undefined

const mostRemembered = 100_000

/** An account by its subject: calls of the house name no realm, Keycloak wants one. */
export async function userBySub(keycloak: Keycloak, sub: string) {
  const { admin, settings, realmOf } = keycloak
  if (uuid.test(sub)) {
    for (const realm of await candidates(keycloak, sub)) {
      const user = await admin.users.findOne({ id: sub, realm: theirRealm(settings, realm) })
      if (!user) continue
      if (realmOf.size >= mostRemembered) realmOf.clear()
      realmOf.set(sub, realm)
      return { realm, user, where: { id: sub, realm: theirRealm(settings, realm) } }
    }
  }
  throw failure(identityContract, 'no_such_account', { sub })
}

async function candidates({ deps, realmOf }: Keycloak, sub: string) {
  const known = realmOf.get(sub)
  if (known !== undefined) return [known]
  const rows = await deps.db.selectFrom('realm').select('name').orderBy('name').execute()
  return rows.map(({ name }) => name)
}
