import KeycloakAdminClient, { NetworkError } from '@keycloak/keycloak-admin-client'
import { failure } from '@longreach/kit/errors'
import { uuid } from '../accounts/account-rules.ts'
import { serviceClientId, usernameOfService } from '../clients/client-rules.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'

export type KeycloakSettings = {
  /** `https://id.example.org` or `https://id.example.org/auth`, without a slash at the end. */
  url: string
  clientId: string
  secret: string
  /** Names of realms in Keycloak by their names here, where they differ. */
  realms: ReadonlyMap<string, string>
}

export const keycloakRealmName = ({ realms }: KeycloakSettings, name: string) =>
  realms.get(name) ?? name
export const issuerOf = (settings: KeycloakSettings, name: string) =>
  `${settings.url}/realms/${encodeURIComponent(keycloakRealmName(settings, name))}`

const renewedBeforeMs = 10_000
/** Timeouts in milliseconds; creating a realm takes Keycloak many seconds on a busy machine. */
const [usualMs, realmMs] = [15_000, 120_000]

/** Clients of Keycloak’s Admin REST, signed in with a client of its realm `master`. */
export function keycloakAdmin(settings: KeycloakSettings) {
  const getAccessToken = adminTokens(settings)
  const waitingFor = (timeout: number) => {
    const admin = new KeycloakAdminClient({ baseUrl: settings.url, timeout })
    admin.registerTokenProvider({ getAccessToken })
    return admin
  }
  return { admin: waitingFor(usualMs), realmAdmin: waitingFor(realmMs) }
}

function adminTokens({ url, clientId, secret }: KeycloakSettings) {
  let held: { token: string; until: number } | undefined
  return async () => {
    if (held && held.until > Date.now()) return held.token
    const answer = await fetch(`${url}/realms/master/protocol/openid-connect/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'client_credentials',
        client_id: clientId,
        client_secret: secret,
      }),
      signal: AbortSignal.timeout(usualMs),
    })
    if (!answer.ok) {
      const message = `Keycloak refuses the client ${clientId} (${answer.status}): see KEYCLOAK_ADMIN_CLIENT_SECRET`
      throw failure(identityContract, 'keycloak_away', { message })
    }
    const { access_token: token, expires_in: s } = (await answer.json()) as {
      access_token: string
      expires_in: number
    }
    held = { token, until: Date.now() + s * 1000 - renewedBeforeMs }
    return token
  }
}

export type Keycloak = {
  deps: IdentityDeps
  settings: KeycloakSettings
  admin: KeycloakAdminClient
  /** Client with a longer timeout, for realms. */
  realmAdmin: KeycloakAdminClient
  /** Realm by its name here of each subject that was looked up before. */
  realmOf: Map<string, string>
}

/** HTTP status of a refusal of Keycloak; undefined for any other error. */
export const statusOf = (error: unknown) =>
  error instanceof NetworkError ? error.response.status : undefined

type AnyHandlers = { [name: string]: (...args: never[]) => Promise<unknown> }

/** Handlers that fail with `keycloak_away` when Keycloak does not answer or fails itself. */
export function reportKeycloakErrors<H extends object>(handlers: H): H {
  const telling = Object.entries(handlers as AnyHandlers).map(([name, handle]) => [
    name,
    async (...args: never[]) =>
      handle(...args).catch((error: unknown) => rethrowUnavailable(error)),
  ])
  return Object.fromEntries(telling) as H // of the same names and calls
}

function rethrowUnavailable(error: unknown): never {
  const late = error instanceof DOMException && error.name === 'TimeoutError'
  const unreachable = error instanceof TypeError && error.message === 'fetch failed'
  if (!late && !unreachable && (statusOf(error) ?? 0) < 500) throw error
  const message = 'Keycloak does not answer. Nothing was changed. Try again later.'
  throw Object.assign(failure(identityContract, 'keycloak_away', { message }), { cause: error })
}

/** Client whose service account this user is. Keycloak stores the relation at the client, not at the user. */
export async function clientOfService(
  { admin }: Pick<Keycloak, 'admin'>,
  { user, where: { id, realm } }: Awaited<ReturnType<typeof userBySub>>,
) {
  const program = usernameOfService(user.username ?? '')
  if (program === undefined) return undefined
  const clientId = user.serviceAccountClientId ?? serviceClientId(program)
  const [client] = await admin.clients.find({ realm, clientId })
  if (client?.id === undefined || client.serviceAccountsEnabled !== true) return undefined
  const account = await admin.clients.getServiceAccountUser({ id: client.id, realm })
  return account.id === id ? { id: client.id, clientId } : undefined
}

const mostRemembered = 100_000

/** User of Keycloak by subject: calls of services name no realm, and Keycloak needs one. */
export async function userBySub(keycloak: Keycloak, sub: string) {
  const { admin, settings, realmOf } = keycloak
  if (uuid.test(sub)) {
    for (const realm of await candidates(keycloak, sub)) {
      const user = await admin.users.findOne({ id: sub, realm: keycloakRealmName(settings, realm) })
      if (!user) continue
      if (realmOf.size >= mostRemembered) realmOf.clear()
      realmOf.set(sub, realm)
      return { realm, user, where: { id: sub, realm: keycloakRealmName(settings, realm) } }
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
