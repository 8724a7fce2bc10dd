import { failure } from '@longreach/kit/errors'
import { secondFactorNotFound } from '../account/account-security.ts'
import { identityContract } from '../contract.ts'
import { type Keycloak, userBySub } from './keycloak-admin.ts'

const idleMs = 30 * 60_000

/** Sessions, second factors and lockout of an account that Keycloak keeps. */
export async function keycloakSecurityOf(keycloak: Keycloak, sub: string) {
  const { where } = await userBySub(keycloak, sub)
  const { users, attackDetection } = keycloak.admin
  const [sessions, credentials, lockout] = await Promise.all([
    users.listSessions(where),
    users.getCredentials(where),
    attackDetection.findOne(where),
  ])
  return {
    sessions: sessions.map(toSession),
    credentials: credentials.filter(isFactor).map(toCredential),
    lockedUntil: lockedUntilOf(lockout),
  }
}

type SecurityChange = {
  endSession?: string | undefined
  removeCredential?: { id: string } | undefined
  liftLockout?: true | undefined
}

/** End a session, remove a second factor, or end the lockout, where the change says so. */
export async function changeKeycloakSecurity(
  keycloak: Keycloak,
  sub: string,
  { endSession, removeCredential, liftLockout }: SecurityChange,
) {
  const { where } = await userBySub(keycloak, sub)
  const { users, realms, attackDetection } = keycloak.admin
  if (endSession !== undefined) {
    const sessions = await users.listSessions(where)
    if (!sessions.some(({ id }) => id === endSession)) throw noSession()
    await realms.removeSession({ realm: where.realm, sessionId: endSession })
  }
  if (removeCredential) {
    const factors = (await users.getCredentials(where)).filter(isFactor)
    if (!factors.some(({ id }) => id === removeCredential.id)) throw secondFactorNotFound()
    await users.deleteCredential({ ...where, credentialId: removeCredential.id })
  }
  if (liftLockout) await attackDetection.del(where)
}

const isFactor = ({ type }: { type?: string }) => type !== 'password'

type KeycloakSession = Awaited<ReturnType<Keycloak['admin']['users']['listSessions']>>[number]

const toSession = ({
  id = '',
  ipAddress = '',
  start = 0,
  lastAccess = 0,
  clients,
}: KeycloakSession) => ({
  id,
  ipAddress,
  userAgent: '',
  started: new Date(start),
  lastAccess: new Date(lastAccess),
  expires: new Date(lastAccess + idleMs),
  clients: Object.values(clients ?? {}).map(String),
})

type KeycloakCredential = Awaited<ReturnType<Keycloak['admin']['users']['getCredentials']>>[number]

function toFactorType(type: string | undefined): 'otp' | 'recovery-authn-codes' | 'webauthn' {
  return type === 'otp' || type === 'recovery-authn-codes' ? type : 'webauthn'
}

const toCredential = ({ id = '', type, userLabel = '', createdDate = 0 }: KeycloakCredential) => ({
  id,
  type: toFactorType(type),
  userLabel,
  createdDate: new Date(createdDate),
})

/** End of a lockout by Keycloak’s brute force detection; `failedLoginNotBefore` is in seconds. */
function lockedUntilOf(state: Record<string, unknown> | undefined) {
  if (state?.['disabled'] !== true) return null
  return new Date(Number(state['failedLoginNotBefore'] ?? 0) * 1000)
}

const noSession = () =>
  failure(identityContract, 'no_such_session', {
    message: 'Not found. The session may have ended.',
  })
