import { can } from '@longreach/authorization/can'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { failure } from '@longreach/kit/errors'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { type MemberQuestion, searchMembers } from './member-search.ts'
import type { PersonDetails } from './user-contract.ts'
import type { MemberRow } from '../directory/user-store.ts'

/** Most accounts of one question to identity. */
const atOnce = 1_000

/**
 * Details of the people of a list by their id: roles for callers who may read groups, second factor and
 * sign-ins for callers who may change people, as on the pages of a person.
 */
export async function detailsOf(
  { db, clients }: Pick<CoreDeps, 'db' | 'clients'>,
  { capability, organization }: OrgCtx,
  rows: readonly MemberRow[],
): Promise<Map<number, PersonDetails>> {
  const people = rows.filter(({ service_account }) => !service_account)
  const [held, signIns] = await Promise.all([
    can(capability, 'usergroups', 'read') ? readHeldRoles(db, organization.id, rows) : undefined,
    signInsOf(clients, people),
  ])
  const mayChange = can(capability, 'users', 'update')
  return new Map(
    rows.map((row) => {
      const known = signIns.get(row.sub)
      return [
        row.id,
        {
          state: stateOf(row, known, mayChange),
          ...held?.get(row.id),
          ...(mayChange &&
            known && {
              twoFactor: known.secondFactor,
              lastSignIn: known.lastSignIn?.getTime() ?? null,
              lockedUntil: known.lockedUntil?.getTime() ?? null,
            }),
        },
      ]
    }),
  )
}

/** Most people whose sign-ins are looked through for one list. */
const mostLookedThrough = 10_000

type Asked = Omit<MemberQuestion, 'status'> & {
  status?: MemberQuestion['status'] | 'INVITED' | 'LOCKED'
}

/** The question for a list of those invited or locked, which identity alone knows; any other as it is. */
export async function withSignInState(
  { db, clients }: Pick<CoreDeps, 'db' | 'clients'>,
  { capability, organization }: OrgCtx,
  { status, ...asked }: Asked,
): Promise<MemberQuestion> {
  if (status !== 'INVITED' && status !== 'LOCKED') return { ...asked, status }
  const among = { ...asked, status: 'ENABLED' as const, page: 0, pageSize: mostLookedThrough }
  const { rows, last } = await searchMembers(db, organization, among)
  if (!last) {
    const message = `More than ${mostLookedThrough} people match; search for a name as well`
    throw failure(coreContract, 'too_many_people', { most: mostLookedThrough, message })
  }
  const people = rows.filter(({ service_account }) => !service_account)
  const known = await signInsOf(clients, people)
  const mayChange = can(capability, 'users', 'update')
  const ids = people
    .filter((row) => stateOf(row, known.get(row.sub), mayChange) === status)
    .map(({ id }) => id)
  return { ...asked, ids }
}

type SignIn = {
  secondFactor: boolean
  invited: boolean
  lastSignIn: Date | null
  lockedUntil: Date | null
}

function stateOf({ enabled }: MemberRow, known: SignIn | undefined, mayChange: boolean) {
  if (!enabled) return 'DISABLED'
  if (mayChange && known?.lockedUntil) return 'LOCKED'
  return known?.invited === true ? 'INVITED' : 'ACTIVE'
}

async function signInsOf({ identity }: CoreDeps['clients'], people: readonly MemberRow[]) {
  const known = new Map<string, SignIn>()
  for (let from = 0; from < people.length; from += atOnce) {
    const subs = people.slice(from, from + atOnce).map(({ sub }) => sub)
    for (const { sub, ...rest } of await identity.signInStates({ body: { subs } })) {
      known.set(sub, rest)
    }
  }
  return known
}

type HeldRow = { userId: number; ownGroup: number | null; roles: PersonDetails['roles'] }

/** Roles of the organization that people hold, and the group that carries those of their own, in one statement. */
async function readHeldRoles(
  db: Kysely<CoreDb>,
  organization: number,
  people: readonly MemberRow[],
) {
  const ids = people.map(({ id }) => id)
  const { rows } = await sql<HeldRow>`
    select m.user_id as "userId",
      max(g.id) filter (where g.type in ('SELF_USER', 'SELF_USER_SERVICE')) as "ownGroup",
      coalesce((select jsonb_agg(jsonb_build_object('id', r.id, 'name', r.name, 'label', r.label,
          'owner', r.owner, 'own', one.own) order by r.label, r.id)
        from (select gr.role_id, bool_or(h.type in ('SELF_USER', 'SELF_USER_SERVICE')) as own
          from core.group_member hm join core.user_group h on h.id = hm.group_id
          join core.group_role gr on gr.group_id = hm.group_id
          where hm.user_id = m.user_id and hm.organization_id = ${organization}
          group by gr.role_id) one
        join core.role r on r.id = one.role_id), '[]') as roles
    from core.group_member m join core.user_group g on g.id = m.group_id
    where m.organization_id = ${organization} and m.user_id = any(${ids}::int[])
    group by m.user_id`.execute(db)
  return new Map(
    rows.map(({ userId, ownGroup, roles }) => [
      userId,
      { roles, ...(ownGroup !== null && { ownGroup }) },
    ]),
  )
}
