import { AppError, failure } from '@longreach/kit/errors'
import { localName } from '@longreach/kit/person-name-rules'
import type { Kysely } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { CoreDeps } from '../deps.ts'
import { insertGroup, insertMember } from '../groups/group-store.ts'
import { claimAccount, markMaking, expireClaim, releaseClaim } from './account-store.ts'
import type { NewPerson } from '../directory/person-contract.ts'
import {
  findUserByName,
  insertMembership,
  insertUser,
  membershipsOf,
  type UserRow,
} from '../directory/user-store.ts'

type Deps = Pick<CoreDeps, 'db' | 'clients'>
type Person = NewPerson & {
  serviceAccount: boolean
  emailVerified?: boolean
  temporaryPassword?: boolean
  /** In place of a password: what identity made of one. */
  passwordHash?: string
}
type Making<T> = {
  realm: string
  person: Person
  now: Date
  /** Writes in the transaction that adds the person; a service account comes with its secret. */
  write: (tx: Kysely<CoreDb>, user: UserRow, clientSecret: string | undefined) => Promise<T>
}

/**
 * Make a person: the account in identity first, then everything of ours in one transaction. An
 * account that an earlier, broken attempt left in identity is taken over, so trying again works; one
 * that somebody else made there is not.
 */
export async function makePerson<T>(
  { db, clients }: Deps,
  { realm, person: asked, now, write }: Making<T>,
) {
  const person = { ...asked, username: localName(asked.username, realm) }
  const name = { realm, username: person.username }
  const claim = await claimAccount(db, name, now)
  if (!claim) {
    const message = `${person.username} is being made at this moment; try again in a minute`
    throw failure(coreContract, 'busy', { field: 'username', message })
  }
  const attempt = { making: claim.making }
  try {
    if (await findUserByName(db, realm, person.username)) throw usernameTaken(person.username)
    const { sub, clientSecret } = await findOrMakeAccount(
      { db, clients },
      { ...name, person, attempt },
    )
    const made = await db.transaction().execute(async (tx) => {
      const user = await insertUser(tx, {
        sub,
        realm,
        username: person.username,
        email: person.email,
        first_name: person.firstName,
        last_name: person.lastName,
        service_account: person.serviceAccount,
        created_at: now,
      })
      return write(tx, user, clientSecret)
    })
    attempt.making = false
    return made
  } catch (error) {
    // Refused: nothing of it is there. Anything else may have left an account.
    if (error instanceof AppError && isFinal(error)) attempt.making = false
    throw error
  } finally {
    await (attempt.making ? expireClaim(db, name) : releaseClaim(db, name))
  }
}

const isFinal = ({ code }: AppError) =>
  code === 'core.username_taken' || code === 'core.password_refused'

type Wanted = { realm: string; username: string; person: Person; attempt: { making: boolean } }
type Account = { sub: string; clientSecret?: string | undefined }

async function findOrMakeAccount(deps: Deps, { realm, username, person, attempt }: Wanted) {
  const { identity } = deps.clients
  const { serviceAccount } = person
  const facts = toAccountFacts(person)
  try {
    const [found] = await identity.findAccount({ query: { realm, username } })
    if (found && !attempt.making) throw usernameTaken(username)
    if (found) return await takenOver(identity, { sub: found.sub, serviceAccount, facts })
    await markMaking(deps.db, { realm, username })
    attempt.making = true
    const made: Account = await identity.createAccount({
      body: { realm, username, serviceAccount, ...facts },
    })
    return made
  } catch (error) {
    throw toCoreError(error, username)
  }
}

function toAccountFacts({ email, firstName, lastName, password, passwordHash, ...more }: Person) {
  const { emailVerified = false, temporaryPassword = false } = more
  return {
    email,
    firstName,
    lastName,
    emailVerified,
    temporaryPassword,
    ...(password !== undefined && { password }),
    ...(passwordHash !== undefined && { passwordHash }),
  }
}

type Left = { sub: string; serviceAccount: boolean; facts: ReturnType<typeof toAccountFacts> }

/** An account that an attempt before this one made. */
async function takenOver(
  identity: CoreDeps['clients']['identity'],
  { sub, serviceAccount, facts }: Left,
): Promise<Account> {
  const renewing = serviceAccount ? { renewClientSecret: true as const } : {}
  const { clientSecret } = await identity.updateAccount({
    params: { sub },
    body: { ...facts, ...renewing },
  })
  return { sub, clientSecret }
}

const usernameTaken = (username: string) =>
  failure(coreContract, 'username_taken', {
    field: 'username',
    message: `The user name "${username}" is taken; choose another one`,
  })

/** Error of identity as an error of this service, with the field that it is about; others unchanged. */
export function toCoreError(error: unknown, username: string) {
  if (!(error instanceof AppError)) return error
  if (error.code === 'identity.username_taken') return usernameTaken(username)
  if (error.code !== 'identity.password_refused') return error
  return failure(coreContract, 'password_refused', { ...error.details, field: 'password' })
}

/** Put a person into an organization: a member, in everybody's group, with a group of their own. */
export async function joinOrganization(
  tx: Kysely<CoreDb>,
  organizationId: number,
  user: Pick<UserRow, 'id' | 'username' | 'service_account'>,
  groupPolicies = false,
) {
  // A program stays where it was made, whatever else it joins.
  const home = user.service_account && (await membershipsOf(tx, user.id)).length === 0
  const joined = await insertMembership(tx, {
    organizationId,
    userId: user.id,
    groupPolicies,
    home,
  })
  if (!joined) return undefined
  const own = await insertGroup(tx, {
    organization_id: organizationId,
    name: user.username,
    label: user.username,
    type: user.service_account ? 'SELF_USER_SERVICE' : 'SELF_USER',
  })
  const everybody = await tx
    .selectFrom('user_group')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('type', '=', 'ALL_USER')
    .execute()
  for (const { id } of [...(own ? [own] : []), ...everybody]) {
    await insertMember(tx, { organizationId, groupId: id, userId: user.id, role: 'USER' })
  }
  return own
}
