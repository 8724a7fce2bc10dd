import { identityContract } from '@longreach/identity/contract'
import { failure } from '@longreach/kit/errors'
import { defineService } from '@longreach/kit/service'
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
}
type TestDb = { realm: { name: string }; account: AccountTable }

const { createRealm, createAccount, account, updateAccount, deleteAccount, findAccount } =
  identityContract.endpoints

const contract = {
  ...identityContract,
  endpoints: { createRealm, createAccount, account, updateAccount, deleteAccount, findAccount },
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

/** The calls of identity that core makes, on SQL and without any cryptography: for tests of services only. */
export const identityForTests = defineService<TestDb>()({
  contract,
  needs: {},
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

    createAccount: async ({ body: { realm, username, email, firstName, lastName, password } }) => {
      checked(password)
      const row = await db
        .insertInto('account')
        .values({
          realm,
          username,
          email,
          first_name: firstName,
          last_name: lastName,
          password: password ?? null,
        })
        .onConflict((conflict) => conflict.columns(['realm', 'username']).doNothing())
        .returningAll()
        .executeTakeFirst()
      if (!row) throw failure(identityContract, 'username_taken')
      return shown(row)
    },

    account: async ({ params: { sub } }) => {
      const row = await find(db, sub)
      if (!row) throw gone()
      return shown(row)
    },

    updateAccount: async ({ params: { sub }, body }) => {
      checked(body.password)
      const row = await find(db, sub)
      if (!row) throw gone()
      const change = {
        email: body.email ?? row.email,
        first_name: body.firstName ?? row.first_name,
        last_name: body.lastName ?? row.last_name,
        password: body.password ?? row.password,
      }
      const query = db.updateTable('account').set(change).where('sub', '=', sub)
      return shown(await query.returningAll().executeTakeFirstOrThrow())
    },

    deleteAccount: async ({ params: { sub } }) => {
      await db.deleteFrom('account').where('sub', '=', sub).execute()
      return undefined
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
  }),
})
