import { serviceOf } from '@longreach/kit/testing'
import { randomUUID } from 'node:crypto'
import { identityContract } from '@longreach/identity/contract'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { Generated, Kysely, Selectable } from 'kysely'

type AccountTable = {
  sub: Generated<string>
  realm: string
  username: string
  email: string
  first_name: string
  last_name: string
  enabled: Generated<boolean>
  password: string | null
  /** Set by tests. */
  second_factor: Generated<boolean>
  last_sign_in_at: Generated<Date | null>
  locked_until: Generated<Date | null>
}
type TestDb = { realm: { name: string }; account: AccountTable }

const all = identityContract.endpoints
const contract = {
  ...identityContract,
  endpoints: {
    createRealm: all.createRealm,
    createAccount: all.createAccount,
    account: all.account,
    updateAccount: all.updateAccount,
    deleteAccount: all.deleteAccount,
    findAccount: all.findAccount,
    signInStates: all.signInStates,
    oneTimeLink: all.oneTimeLink,
    sendMail: all.sendMail,
    passwordHash: all.passwordHash,
  },
}

const shown = (row: Selectable<AccountTable>) => ({
  sub: row.sub,
  realm: row.realm,
  username: row.username,
  email: row.email,
  firstName: row.first_name,
  lastName: row.last_name,
  enabled: row.enabled,
})
const gone = () => failure(identityContract, 'no_such_account')

function checked(password: string | undefined) {
  if (password === undefined || password.length >= 8) return
  throw failure(identityContract, 'password_refused', { message: 'at least 8 characters' })
}

const find = async (db: Kysely<TestDb>, sub: string) =>
  db.selectFrom('account').selectAll().where('sub', '=', sub).executeTakeFirst()

const accountsOf = (db: Kysely<TestDb>, subs: string[]) =>
  db.selectFrom('account').selectAll().where('sub', 'in', subs).execute()

const clientOf = ({ username }: Selectable<AccountTable>, secretAt: Date) => ({
  clientId: `user-service-${username}`,
  tokenEndpoint: 'http://portal.test/token',
  secretAt,
})

/** The calls of identity that core makes, on SQL and without any cryptography: for tests of services only. */
export const identityForTests = serviceOf<TestDb>()({
  contract,
  migrations: new URL('./test-migrations/', import.meta.url),
  handlers: ({ db }) => ({
    createRealm: async ({ body: { name } }) => {
      await db
        .insertInto('realm')
        .values({ name })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
      return { name }
    },

    createAccount: async ({ body: { realm, username, password, ...body } }) => {
      checked(password)
      const row = await db
        .insertInto('account')
        .values({
          realm,
          username,
          email: body.email,
          enabled: body.enabled,
          first_name: body.firstName,
          last_name: body.lastName,
          password: password ?? body.passwordHash ?? null,
        })
        .onConflict((conflict) => conflict.columns(['realm', 'username']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!row) throw failure(identityContract, 'username_taken')
      return { ...shown(row), ...(body.serviceAccount && { clientSecret: randomUUID() }) }
    },

    account: async ({ params: { sub } }, { now }) => {
      const row = await find(db, sub)
      if (!row) throw gone()
      const security = { sessions: [], credentials: [], lockedUntil: row.locked_until }
      return { ...shown(row), ...security, client: clientOf(row, now) }
    },

    updateAccount: async ({ params: { sub }, body }, { now }) => {
      checked(body.password)
      const row = await find(db, sub)
      if (!row) throw gone()
      const change = {
        email: body.email ?? row.email,
        first_name: body.firstName ?? row.first_name,
        last_name: body.lastName ?? row.last_name,
        password: body.password ?? body.passwordHash ?? row.password,
        enabled: body.enabled ?? row.enabled,
      }
      const query = db.updateTable('account').set(change).where('sub', '=', sub)
      const changed = shown(await query.returningAll().executeTakeFirstOrThrow())
      if (body.renewClientSecret !== true) return changed
      return { ...changed, client: clientOf(row, now), clientSecret: randomUUID() }
    },

    deleteAccount: async ({ params: { sub } }) => {
      await db.deleteFrom('account').where('sub', '=', sub).execute()
      return undefined
    },

    ...around(db),
  }),
})

/** Endpoints of identity that are about many accounts at once. */
const around = (db: Kysely<TestDb>) =>
  ({
    signInStates: async ({ body: { subs } }) => {
      const rows = subs.length === 0 ? [] : await accountsOf(db, subs)
      return rows.map(({ sub, second_factor, last_sign_in_at, locked_until, password }) => ({
        sub,
        secondFactor: second_factor,
        lastSignIn: last_sign_in_at,
        lockedUntil: locked_until,
        invited: password === null && last_sign_in_at === null,
      }))
    },

    findAccount: async ({ query: { realm, username } }) => {
      const rows = await db
        .selectFrom('account')
        .selectAll()
        .where('realm', '=', realm)
        .where('username', '=', username)
        .execute()
      return rows.map(shown)
    },

    oneTimeLink: async ({ params: { sub } }, { now }) => {
      if (!(await find(db, sub))) throw gone()
      const validUntil = new Date(now.getTime() + 60_000)
      return { url: `http://portal.test/link/${randomUUID()}`, mailed: false, validUntil }
    },

    sendMail: async () => ({ mailed: false }),

    passwordHash: async ({ body: { password } }) => {
      checked(password)
      return { hash: `$argon2id$${password}` }
    },
  }) satisfies Partial<Handlers<typeof contract>>
