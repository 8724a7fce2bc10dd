import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { clientEndpoints } from '../clients/client-contract.ts'
import { identityContract } from '../contract.ts'
import type { impersonationEndpoints } from '../impersonation/impersonation-contract.ts'
import { notWithKeycloak } from './keycloak-accounts.ts'
import { clientOfService, issuerOf, type Keycloak, statusOf, userBySub } from './keycloak-admin.ts'
import type { linkEndpoints } from '../links/link-contract.ts'
import type { securityEndpoints } from '../account/security-contract.ts'

type All = Handlers<typeof identityContract>
type ClientHandlers = Pick<All, keyof typeof clientEndpoints | keyof typeof impersonationEndpoints>

/** Handlers of the contract for clients of service accounts that Keycloak keeps. */
export const keycloakClients = (keycloak: Keycloak): ClientHandlers => {
  const { admin, deps } = keycloak
  return {
    client: async ({ params: { sub } }) =>
      toKeycloakClient(keycloak, (await programOf(keycloak, sub)).found, deps.now()),

    renewClientSecret: async ({ params: { sub } }, { now }) => {
      const { found, id, realm } = await programOf(keycloak, sub)
      const { value } = await admin.clients.generateNewClientSecret({ id, realm })
      return {
        ...toKeycloakClient(keycloak, found, now),
        ...(value !== undefined && { clientSecret: value }),
      }
    },

    administrationClient: async () => {
      throw notWithKeycloak()
    },

    impersonate: async () => {
      throw notWithKeycloak()
    },
  }
}

type Program = { name: string; clientId: string }

async function programOf(keycloak: Keycloak, sub: string) {
  const found = await userBySub(keycloak, sub)
  const client = await clientOfService(keycloak, found)
  if (!client) throw failure(identityContract, 'no_such_client', { sub })
  const { id, clientId } = client
  return { found: { name: found.realm, clientId }, id, realm: found.where.realm }
}

const toKeycloakClient = ({ settings }: Keycloak, { name, clientId }: Program, secretAt: Date) => ({
  clientId,
  tokenEndpoint: `${issuerOf(settings, name)}/protocol/openid-connect/token`,
  secretAt,
})

type SecurityHandlers = Pick<All, keyof typeof securityEndpoints>
const idleMs = 30 * 60_000

/** Handlers of the contract for sessions, second factors and lockouts that Keycloak keeps. */
export const keycloakSecurity = (keycloak: Keycloak): SecurityHandlers => {
  const { admin } = keycloak
  const credentialsOf = async (sub: string) => {
    const { where } = await userBySub(keycloak, sub)
    const all = await admin.users.getCredentials(where)
    return { where, factors: all.filter(({ type }) => type !== 'password') }
  }
  const sessionsOf = async (sub: string) =>
    admin.users.listSessions((await userBySub(keycloak, sub)).where)
  return {
    accountSessions: async ({ params: { sub } }) =>
      (await sessionsOf(sub)).map(
        ({ id = '', ipAddress = '', start = 0, lastAccess = 0, clients }) => ({
          id,
          ipAddress,
          userAgent: '',
          started: new Date(start),
          lastAccess: new Date(lastAccess),
          expires: new Date(lastAccess + idleMs),
          clients: Object.values(clients ?? {}).map(String),
        }),
      ),

    endAccountSession: async ({ params: { sub, session } }) => {
      const { where } = await userBySub(keycloak, sub)
      if (!(await sessionsOf(sub)).some(({ id }) => id === session)) {
        throw failure(identityContract, 'no_such_session', {
          message: 'Not found. The session may have ended.',
        })
      }
      await admin.realms.removeSession({ realm: where.realm, sessionId: session })
    },

    // Lockout by Keycloak’s brute force detection; `failedLoginNotBefore` is in seconds.
    accountLock: async ({ params: { sub } }) => {
      const { where } = await userBySub(keycloak, sub)
      const state = await admin.attackDetection.findOne(where)
      const until = Number(state?.['failedLoginNotBefore'] ?? 0) * 1000
      return { lockedUntil: state?.['disabled'] === true ? new Date(until) : null }
    },

    liftAccountLock: async ({ params: { sub } }) => {
      const { where } = await userBySub(keycloak, sub)
      await admin.attackDetection.del(where)
      return undefined
    },

    accountCredentials: async ({ params: { sub } }) =>
      (await credentialsOf(sub)).factors.map(
        ({ id = '', type, userLabel = '', createdDate = 0 }) => ({
          id,
          type: type === 'otp' || type === 'recovery-authn-codes' ? type : ('webauthn' as const),
          userLabel,
          createdDate: new Date(createdDate),
        }),
      ),

    removeAccountCredential: async ({ params: { sub, credential } }) => {
      const { where, factors } = await credentialsOf(sub)
      if (!factors.some(({ id }) => id === credential)) {
        throw failure(identityContract, 'no_such_credential', {
          message: 'Not found. The credential may have been removed.',
        })
      }
      await admin.users.deleteCredential({ ...where, credentialId: credential })
    },
  }
}

type LinkHandlers = Pick<All, keyof typeof linkEndpoints>
const linkLivesS = 15 * 60

/**
 * Handlers of the contract for links: Keycloak mails those to its own pages and shows them to nobody
 * else.
 */
export const keycloakLinks = (
  keycloak: Keycloak,
): Pick<LinkHandlers, 'oneTimeLink' | 'passwordHash'> => ({
  oneTimeLink: async ({ params: { sub } }, { now }) => {
    const { where } = await userBySub(keycloak, sub)
    await keycloak.admin.users
      .executeActionsEmail({ ...where, actions: ['UPDATE_PASSWORD'], lifespan: linkLivesS })
      .catch((error: unknown) => {
        if (statusOf(error) === undefined) throw error
        const message =
          'Keycloak could not mail the link: it has no mail server, or the person has no e-mail address'
        throw failure(identityContract, 'no_mail_server', { message })
      })
    return { mailed: true, validUntil: new Date(now.getTime() + linkLivesS * 1000) }
  },

  passwordHash: async () => {
    throw notWithKeycloak()
  },
})
