import { NetworkError } from '@keycloak/keycloak-admin-client'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import {
  type accountEndpoints,
  RequiredAction,
  type SignInState,
} from '../accounts/account-contract.ts'
import { localName } from '@longreach/kit/person-name-rules'
import { actionsWith } from '../accounts/account-rules.ts'
import {
  isServiceName,
  serviceClientId,
  serviceUsername,
  usernameOfService,
} from '../clients/client-rules.ts'
import { identityContract } from '../contract.ts'
import {
  clientOfService,
  issuerOf,
  type Keycloak,
  statusOf,
  keycloakRealmName,
  userBySub,
} from './keycloak-admin.ts'
import { changeKeycloakSecurity, keycloakSecurityOf } from './keycloak-security.ts'
import { realmTemplate } from './keycloak-realm.ts'
import { passwordFault, refusedPassword } from '../passwords/password-rules.ts'
import { makeRealm } from '../realms/realm-store.ts'
import { platformAudience } from '../tokens/scope-rules.ts'

type AccountHandlers = Pick<Handlers<typeof identityContract>, keyof typeof accountEndpoints>

/** Handlers of the contract for accounts that Keycloak keeps. */
export const keycloakAccounts = (keycloak: Keycloak): AccountHandlers => ({
  ...creationHandlers(keycloak),
  ...managementHandlers(keycloak),
})

const creationHandlers = (keycloak: Keycloak) => {
  const { deps, settings, admin, realmAdmin } = keycloak
  return {
    createRealm: async ({ body: { name, label } }, { now }) => {
      const realm = keycloakRealmName(settings, name)
      if (!(await realmAdmin.realms.findOne({ realm }))) {
        await realmAdmin.realms.create(
          realmTemplate({ realm, label: label || name, origin: deps.site.origin }),
        )
      }
      // Keys of this product sign the permission tickets of the realm.
      await makeRealm(deps.db, deps.secrets, { name, label, now })
      return { name }
    },

    createAccount: async ({ body }) => {
      const realm = keycloakRealmName(settings, body.realm)
      if (!(await admin.realms.findOne({ realm }))) {
        throw failure(identityContract, 'no_such_realm', { realm: body.realm })
      }
      const username = localName(body.username, body.realm)
      if (isServiceName(username)) throw keycloakNameTaken(username)
      if (body.serviceAccount) return makeProgram(keycloak, body.realm, username)
      if (body.passwordHash !== undefined) throw notWithKeycloak()
      if (body.password !== undefined) checkPassword(body.password, username)
      const { id } = await admin.users
        .create({ realm, username, ...representation(body), ...credential(body) })
        .catch((error: unknown) => {
          throw toFailure(error, username)
        })
      return readAccount(keycloak, id)
    },
  } satisfies Partial<AccountHandlers>
}

/**
 * Mapper that adds the platform to the audience of a client’s tokens; the realm file has the same for
 * the portal.
 */
const platformMapper = {
  name: 'audience of the platform',
  protocol: 'openid-connect',
  protocolMapper: 'oidc-audience-mapper',
  config: {
    'included.custom.audience': platformAudience,
    'access.token.claim': 'true',
    'id.token.claim': 'false',
  },
}

/** Create a client with a service account, which is its user. */
async function makeProgram(keycloak: Keycloak, name: string, username: string) {
  const { admin, settings } = keycloak
  const realm = keycloakRealmName(settings, name)
  const clientId = serviceClientId(username)
  const { id } = await admin.clients
    .create({
      realm,
      clientId,
      publicClient: false,
      serviceAccountsEnabled: true,
      standardFlowEnabled: false,
      implicitFlowEnabled: false,
      directAccessGrantsEnabled: false,
      protocolMappers: [platformMapper],
    })
    .catch((error: unknown) => {
      throw toFailure(error, username)
    })
  const { value } = await admin.clients.generateNewClientSecret({ id, realm })
  const { id: sub = '' } = await admin.clients.getServiceAccountUser({ id, realm })
  return {
    ...(await readAccount(keycloak, sub)),
    ...(value !== undefined && { clientSecret: value }),
  }
}

const managementHandlers = (keycloak: Keycloak) => {
  const { settings, admin } = keycloak
  return {
    account: async ({ params: { sub } }) => {
      const account = await readAccount(keycloak, sub)
      const details = { ...account, ...(await keycloakSecurityOf(keycloak, sub)) }
      if (!account.serviceAccount) return details
      const { found, clientId } = await programOf(keycloak, sub)
      return { ...details, client: toKeycloakClient(keycloak, found, clientId) }
    },

    updateAccount: async ({ params: { sub }, body }) => {
      const { endSession, removeCredential, liftLockout, renewClientSecret, ...facts } = body
      await changeKeycloakSecurity(keycloak, sub, { endSession, removeCredential, liftLockout })
      const isChanged = Object.values(facts).some((fact) => fact !== undefined)
      if (isChanged) await changeUser(keycloak, sub, facts)
      const account = await readAccount(keycloak, sub)
      if (renewClientSecret !== true) return account
      return { ...account, ...(await renewSecret(keycloak, sub)) }
    },

    deleteAccount: async ({ params: { sub } }) => {
      const found = await userBySub(keycloak, sub)
      const client = await clientOfService(keycloak, found)
      keycloak.realmOf.delete(sub)
      if (!client) return void (await admin.users.del(found.where))
      await admin.clients.del({ id: client.id, realm: found.where.realm })
    },

    findAccount: async ({ query }) => {
      const realm = keycloakRealmName(settings, query.realm)
      const username = localName(query.username, query.realm)
      for (const name of [username, serviceUsername(username)]) {
        const [user] = await admin.users.find({ realm, username: name, exact: true })
        if (user?.id !== undefined) return [await readAccount(keycloak, user.id)]
      }
      return []
    },

    signInStates: async ({ body: { subs, only } }) => {
      // Keycloak answers for one person at a time, which is too slow for a list of people.
      if (only === undefined) return []
      const states: SignInState[] = []
      for (const sub of subs) {
        const { where } = await userBySub(keycloak, sub)
        const credentials = await admin.users.getCredentials(where)
        const secondFactor = credentials.some(({ type }) => type !== 'password')
        states.push({ sub, secondFactor, lastSignIn: null, lockedUntil: null, invited: false })
      }
      return states
    },
  } satisfies Partial<AccountHandlers>
}

type UserChange = Facts & {
  password?: string | undefined
  passwordHash?: string | undefined
  temporaryPassword?: boolean | undefined
  requiredActions?: RequiredAction[] | undefined
}

async function changeUser(keycloak: Keycloak, sub: string, change: UserChange) {
  const { admin } = keycloak
  const { user, where } = await userBySub(keycloak, sub)
  const { password, passwordHash, temporaryPassword = false } = change
  if (passwordHash !== undefined) throw notWithKeycloak()
  if (password !== undefined) checkPassword(password, user.username ?? '')
  const asked = change.requiredActions ?? (user.requiredActions as RequiredAction[] | undefined)
  const requiredActions = actionsWith(asked ?? [], change.temporaryPassword)
  // Keycloak replaces the whole user and empties absent fields.
  await admin.users.update(where, { ...user, ...representation(change), requiredActions })
  if (password !== undefined) {
    const value = { type: 'password', value: password, temporary: temporaryPassword }
    await admin.users.resetPassword({ ...where, credential: value }).catch((error: unknown) => {
      throw toFailure(error, user.username ?? '')
    })
  }
  if (password !== undefined || change.enabled === false) await admin.users.logout(where)
}

async function renewSecret(keycloak: Keycloak, sub: string) {
  const { found, id, clientId, realm } = await programOf(keycloak, sub)
  const { value } = await keycloak.admin.clients.generateNewClientSecret({ id, realm })
  const client = toKeycloakClient(keycloak, found, clientId)
  return { client, ...(value !== undefined && { clientSecret: value }) }
}

async function programOf(keycloak: Keycloak, sub: string) {
  const found = await userBySub(keycloak, sub)
  const client = await clientOfService(keycloak, found)
  if (!client) throw failure(identityContract, 'no_such_client', { sub })
  return { found: found.realm, id: client.id, clientId: client.clientId, realm: found.where.realm }
}

const toKeycloakClient = ({ settings, deps }: Keycloak, realm: string, clientId: string) => ({
  clientId,
  tokenEndpoint: `${issuerOf(settings, realm)}/protocol/openid-connect/token`,
  secretAt: deps.now(),
})

async function readAccount(keycloak: Keycloak, sub: string) {
  const { realm, user } = await userBySub(keycloak, sub)
  const { username = '', email = '', firstName = '', lastName = '' } = user
  const program = usernameOfService(username)
  const actions = (user.requiredActions ?? []).flatMap((one) => {
    const { data } = RequiredAction.safeParse(one)
    return data === undefined ? [] : [data]
  })
  return {
    sub,
    realm,
    username: program ?? username,
    email,
    firstName,
    lastName,
    enabled: user.enabled ?? false,
    serviceAccount: program !== undefined,
    emailVerified: user.emailVerified ?? false,
    requiredActions: actions,
  }
}

type Facts = { [K in 'email' | 'firstName' | 'lastName']?: string | undefined } & {
  enabled?: boolean | undefined
  emailVerified?: boolean | undefined
}

const representation = ({ email, firstName, lastName, enabled, emailVerified }: Facts) => ({
  ...(email !== undefined && { email }),
  ...(firstName !== undefined && { firstName }),
  ...(lastName !== undefined && { lastName }),
  ...(enabled !== undefined && { enabled }),
  ...(emailVerified !== undefined && { emailVerified }),
})

type Secret = {
  password?: string | undefined
  temporaryPassword: boolean
  requiredActions: string[]
}

const credential = ({ password, temporaryPassword, requiredActions }: Secret) => ({
  requiredActions,
  ...(password !== undefined && {
    credentials: [{ type: 'password', value: password, temporary: temporaryPassword }],
  }),
})

/** Check a password by the rules of this product; those of the realm apply as well. */
function checkPassword(password: string, username: string) {
  const fault = passwordFault(password, username)
  if (!fault) return
  throw passwordRefused(refusedPassword(fault))
}

const passwordRefused = (why: { message: string }) =>
  failure(identityContract, 'password_refused', { ...why, field: 'password' })

const keycloakNameTaken = (username: string) =>
  failure(identityContract, 'username_taken', {
    message: `The user name ${username} is already taken`,
    field: 'username',
  })

/** Refusal of Keycloak as an error of the contract; other errors as they are. */
function toFailure(error: unknown, username: string) {
  const status = statusOf(error)
  if (status === 409) return keycloakNameTaken(username)
  if (status !== 400 || !(error instanceof NetworkError)) return error
  return passwordRefused({
    message: 'Keycloak refused the password or another field. See its password policy.',
  })
}

/** Error for calls that only the embedded service supports. */
export const notWithKeycloak = () =>
  failure(identityContract, 'not_with_keycloak', {
    message: 'Accounts are in Keycloak. Use the Keycloak console.',
  })
