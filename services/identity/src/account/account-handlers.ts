import { randomUUID } from 'node:crypto'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { accountEndpoints } from '../accounts/account-contract.ts'
import { localName } from '@longreach/kit/person-name-rules'
import { actionsWith, uuid } from '../accounts/account-rules.ts'
import {
  accountByName,
  accountBySub,
  insertAccount,
  type StoredAccount,
  updateAccount,
} from '../accounts/account-store.ts'
import { accountClient, renewAccountClientSecret } from '../clients/account-client.ts'
import { isServiceName, serviceClientId } from '../clients/client-rules.ts'
import { newSecret } from '../clients/client-secret.ts'
import { putClient } from '../clients/client-store.ts'
import { identityContract } from '../contract.ts'
import type { IdentityDeps } from '../identity-deps.ts'
import { hashPassword } from '../passwords/password-hash.ts'
import { refusedPassword, passwordFault } from '../passwords/password-rules.ts'
import { makeRealm } from '../realms/realm-store.ts'
import { endSessionsOf } from '../sessions/session-store.ts'
import { changeSecurity, securityOf } from './account-security.ts'
import { signInStates } from './sign-in-states.ts'

const toAccount = ({
  sub,
  realm,
  username,
  email,
  firstName,
  lastName,
  enabled,
  serviceAccount,
  emailVerified,
  requiredActions,
}: StoredAccount) => ({
  sub,
  realm,
  username,
  email,
  firstName,
  lastName,
  enabled,
  serviceAccount,
  emailVerified,
  requiredActions,
})

type AccountHandlers = Pick<Handlers<typeof identityContract>, keyof typeof accountEndpoints>

/** Handlers of the contract for accounts that this service keeps itself. */
export const accountHandlers = (deps: IdentityDeps): AccountHandlers => ({
  createRealm: async ({ body: { name, label } }, { now }) => {
    await makeRealm(deps.db, deps.secrets, { name, label, now })
    return { name }
  },

  createAccount: async ({ body: { password, temporaryPassword, ...facts } }, { now }) => {
    const { db } = deps
    const realm = await db
      .selectFrom('realm')
      .select('name')
      .where('name', '=', facts.realm)
      .executeTakeFirst()
    if (!realm) throw failure(identityContract, 'no_such_realm', { realm: facts.realm })
    const username = localName(facts.username, facts.realm)
    if (isServiceName(username)) throw usernameTaken(username)
    const { serviceAccount } = facts
    const hashed = serviceAccount ? null : (facts.passwordHash ?? null)
    const ready = password === undefined || serviceAccount
    const passwordHash = ready ? hashed : await checkedHash(password, username)
    const requiredActions = actionsWith(facts.requiredActions, temporaryPassword || undefined)
    const fresh = { ...facts, username, sub: randomUUID(), requiredActions, passwordHash }
    return db.transaction().execute(async (tx) => {
      const account = await insertAccount(tx, fresh, now)
      if (!account) throw usernameTaken(username)
      if (!serviceAccount) return toAccount(account)
      const secret = newSecret()
      const { realm, sub } = account
      const client = { realm, clientId: serviceClientId(username), sub, secret, now }
      await putClient(tx, deps.secrets, client)
      return { ...toAccount(account), clientSecret: secret }
    })
  },

  account: async ({ params: { sub } }) => {
    const account = await requireAccount(deps, sub)
    const details = { ...toAccount(account), ...(await securityOf(deps, account)) }
    return account.serviceAccount ? { ...details, client: await accountClient(deps, sub) } : details
  },

  updateAccount: async ({ params: { sub }, body }, { now }) => {
    const present = await requireAccount(deps, sub)
    const { username, requiredActions: before } = present
    await changeSecurity(deps, present, body)
    const { password, enabled } = body
    const hash = password === undefined ? body.passwordHash : await checkedHash(password, username)
    const changes = {
      ...columnsOf(body),
      ...(hash !== undefined && { password_hash: hash }),
      required_actions: actionsWith(body.requiredActions ?? before, body.temporaryPassword),
    }
    return deps.db.transaction().execute(async (tx) => {
      const account = await updateAccount(tx, sub, changes)
      if (!account) throw noSuchAccount(sub)
      if (hash !== undefined || enabled === false) await endSessionsOf(tx, sub)
      if (body.renewClientSecret !== true) return toAccount(account)
      return { ...toAccount(account), ...(await renewAccountClientSecret(tx, deps, { sub, now })) }
    })
  },

  deleteAccount: async ({ params: { sub } }) => {
    await requireAccount(deps, sub)
    await deps.db.transaction().execute(async (tx) => {
      await endSessionsOf(tx, sub)
      await tx.deleteFrom('account').where('sub', '=', sub).execute()
    })
    return undefined
  },

  findAccount: async ({ query: { realm, username } }) => {
    const account = await accountByName(deps.db, realm, localName(username, realm))
    return account ? [toAccount(account)] : []
  },

  signInStates: async ({ body: { subs } }) => signInStates(deps, subs),
})

type Facts = { [K in 'email' | 'firstName' | 'lastName']?: string | undefined } & {
  enabled?: boolean | undefined
  emailVerified?: boolean | undefined
}

const columnsOf = ({ email, firstName, lastName, enabled, emailVerified }: Facts) => ({
  ...(email !== undefined && { email }),
  ...(firstName !== undefined && { first_name: firstName }),
  ...(lastName !== undefined && { last_name: lastName }),
  ...(enabled !== undefined && { enabled }),
  ...(emailVerified !== undefined && { email_verified: emailVerified }),
})

/** Account of a subject; fails with `no_such_account`. */
export async function requireAccount({ db }: Pick<IdentityDeps, 'db'>, sub: string) {
  const account = uuid.test(sub) ? await accountBySub(db, sub) : undefined
  if (!account) throw noSuchAccount(sub)
  return account
}

const usernameTaken = (username: string) =>
  failure(identityContract, 'username_taken', {
    message: `The user name ${username} is already taken`,
    field: 'username',
  })

const noSuchAccount = (sub: string) => failure(identityContract, 'no_such_account', { sub })

/** Hash of a new password; fails with `password_refused` when the password breaks a rule. */
export async function checkedHash(password: string, username: string) {
  const fault = passwordFault(password, username)
  if (fault) {
    throw failure(identityContract, 'password_refused', {
      ...refusedPassword(fault),
      field: 'password',
    })
  }
  return hashPassword(password)
}
