import { randomUUID } from 'node:crypto'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { accountEndpoints } from './account-contract.ts'
import { localName } from './account-rules.ts'
import {
  accountByName,
  accountBySub,
  insertAccount,
  type StoredAccount,
  updateAccount,
} from './account-store.ts'
import { identityContract } from './contract.ts'
import type { IdentityDeps } from './identity-deps.ts'
import { addKey } from './key-store.ts'
import { makeOneTimeLink } from './one-time-link.ts'
import { hashPassword } from './password-hash.ts'
import { passwordAdvice, passwordFault } from './password-rules.ts'
import { endSessionsOf } from './session-store.ts'

const asContract = ({
  sub,
  realm,
  username,
  email,
  firstName,
  lastName,
  enabled,
}: StoredAccount) => ({
  sub,
  realm,
  username,
  email,
  firstName,
  lastName,
  enabled,
})
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i

type AccountHandlers = Pick<Handlers<typeof identityContract>, keyof typeof accountEndpoints>

export const accountHandlers = (deps: IdentityDeps): AccountHandlers => ({
  createRealm: async ({ body: { name, label } }, { now }) => {
    const { db, secrets } = deps
    await db.transaction().execute(async (tx) => {
      const made = await tx
        .insertInto('realm')
        .values({ name, label, created_at: now })
        .onConflict((conflict) => conflict.column('name').doNothing())
        .returning('name')
        .executeTakeFirst()
      if (made) await addKey(tx, secrets, { realm: name, activeAt: now, now })
    })
    return { name }
  },

  createAccount: async ({ body: { password, ...facts } }, { now }) => {
    const { db } = deps
    const realm = await db
      .selectFrom('realm')
      .select('name')
      .where('name', '=', facts.realm)
      .executeTakeFirst()
    if (!realm) throw failure(identityContract, 'no_such_realm', { realm: facts.realm })
    const username = localName(facts.username, facts.realm)
    const passwordHash = password === undefined ? null : await checkedHash(password, username)
    const fresh = { ...facts, username, sub: randomUUID(), enabled: true, passwordHash }
    const account = await insertAccount(db, fresh, now)
    if (!account) {
      const message = `The user name ${username} is taken. Choose another.`
      throw failure(identityContract, 'username_taken', { message, field: 'username' })
    }
    return asContract(account)
  },

  account: async ({ params: { sub } }) => asContract(await existing(deps, sub)),

  updateAccount: async ({ params: { sub }, body }) => {
    const { username } = await existing(deps, sub)
    const { email, firstName, lastName, password, enabled } = body
    const hash = password === undefined ? undefined : await checkedHash(password, username)
    const changes = {
      ...(email !== undefined && { email }),
      ...(firstName !== undefined && { first_name: firstName }),
      ...(lastName !== undefined && { last_name: lastName }),
      ...(enabled !== undefined && { enabled }),
      ...(hash !== undefined && { password_hash: hash }),
    }
    return deps.db.transaction().execute(async (tx) => {
      const account =
        Object.keys(changes).length === 0
          ? await accountBySub(tx, sub)
          : await updateAccount(tx, sub, changes)
      if (!account) throw noSuchAccount(sub)
      if (hash !== undefined || enabled === false) await endSessionsOf(tx, sub)
      return asContract(account)
    })
  },

  deleteAccount: async ({ params: { sub } }) => {
    await existing(deps, sub)
    await deps.db.transaction().execute(async (tx) => {
      await endSessionsOf(tx, sub)
      await tx.deleteFrom('account').where('sub', '=', sub).execute()
    })
    return undefined
  },

  findAccount: async ({ query: { realm, username } }) => {
    const account = await accountByName(deps.db, realm, localName(username, realm))
    return account ? [asContract(account)] : []
  },

  oneTimeLink: async ({ params: { sub } }) => {
    const { realm } = await existing(deps, sub)
    return { url: await makeOneTimeLink(deps, { sub, realm }) }
  },
})

async function existing({ db }: IdentityDeps, sub: string) {
  const account = uuid.test(sub) ? await accountBySub(db, sub) : undefined
  if (!account) throw noSuchAccount(sub)
  return account
}

const noSuchAccount = (sub: string) => failure(identityContract, 'no_such_account', { sub })

async function checkedHash(password: string, username: string) {
  const fault = passwordFault(password, username)
  if (fault) {
    const message = passwordAdvice[fault]
    throw failure(identityContract, 'password_refused', { message, field: 'password', fault })
  }
  return hashPassword(password)
}
