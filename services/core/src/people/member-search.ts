import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import {
  countOf,
  mostCounted,
  personConditions,
  personOrder,
  type PersonQuestion,
} from './person-filter.ts'
import type { MemberRow } from './user-store.ts'

type Executor = Kysely<CoreDb>
export type MemberQuestion = PersonQuestion & {
  groupId?: number | undefined
  membershipRole?: 'ADMIN' | 'USER' | undefined
  roleId?: number | undefined
}
type Found = MemberRow & { role?: 'ADMIN' | 'USER' | null }

/** One page of an organization's people, whether it is the last one, and how many there are, or `mostCounted`. */
export async function searchMembers(
  db: Executor,
  organization: { id: number; realm: string },
  asked: MemberQuestion,
) {
  const wanted = narrowed(db, organization, asked)
  const { columns, direction } = personOrder(asked)
  const ordered = columns.reduce((query, column) => query.orderBy(column, direction), wanted)
  const [total, found] = await Promise.all([
    isNarrowed(asked)
      ? countOf(
          db,
          wanted
            .select(sql<number>`1`.as('one'))
            .limit(mostCounted)
            .as('some'),
        )
      : countMembers(db, organization.id),
    ordered
      .selectAll('u')
      .select('m.group_policies_enabled')
      .$if(asked.groupId !== undefined, (query) => query.select(roleIn(asked.groupId)))
      .limit(asked.pageSize + 1)
      .offset(asked.page * asked.pageSize)
      .execute(),
  ])
  const rows: Found[] = found.slice(0, asked.pageSize)
  return { rows, total, last: found.length <= asked.pageSize }
}

const roleIn = (groupId: number | undefined) =>
  sql<'ADMIN' | 'USER' | null>`(select gm.role from core.group_member gm
    where gm.group_id = ${groupId ?? 0} and gm.user_id = u.id)`.as('role')

const isNarrowed = (asked: MemberQuestion) =>
  personConditions(asked).length > 0 || asked.groupId !== undefined || asked.roleId !== undefined

function narrowed(
  db: Executor,
  { id, realm }: { id: number; realm: string },
  asked: MemberQuestion,
) {
  const { groupId, membershipRole, roleId } = asked
  const people = db
    .selectFrom('app_user as u')
    .innerJoin('membership as m', 'm.user_id', 'u.id')
    .where('m.organization_id', '=', id)
    // Every member is of it; so the index on realm and name can give the order.
    .where('u.realm', '=', realm)
  let query = personConditions(asked).reduce((some, condition) => some.where(condition), people)
  if (groupId !== undefined) {
    query = query.where('u.id', 'in', (eb) => {
      const inside = eb
        .selectFrom('group_member as gm')
        .select('gm.user_id')
        .where('gm.group_id', '=', groupId)
        .where('gm.organization_id', '=', id)
      return membershipRole === undefined ? inside : inside.where('gm.role', '=', membershipRole)
    })
  }
  if (roleId !== undefined) {
    query = query.where('u.id', 'in', (eb) =>
      eb
        .selectFrom('group_member as gm')
        .innerJoin('group_role as gr', 'gr.group_id', 'gm.group_id')
        .select('gm.user_id')
        .where('gr.role_id', '=', roleId)
        .where('gm.organization_id', '=', id),
    )
  }
  return query
}

async function countMembers(db: Executor, organizationId: number) {
  const { total } = await db
    .selectFrom('membership')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return total
}
