import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { CoreDb } from '../database.ts'
import { personConditions, type PersonQuestion } from './person-filter.ts'
import { findPeople } from './person-search.ts'
import { type MemberRow, membersByIds } from '../directory/user-store.ts'

type Executor = Kysely<CoreDb>
export type MemberQuestion = PersonQuestion & {
  groupId?: number | undefined
  membershipRole?: 'ADMIN' | 'USER' | undefined
  roleId?: number | undefined
}
type Found = MemberRow & { part?: 'ADMIN' | 'USER' | undefined }

/** One page of an organization's people, whether it is the last one, and how many there are, or `mostCounted`. */
export async function searchMembers(
  db: Executor,
  { id, realm }: { id: number; realm: string },
  asked: MemberQuestion,
) {
  const among = membership(id, asked)
  const [found, all] = await Promise.all([
    findPeople(db, { realm, among, asked }),
    isNarrowed(asked, realm) ? undefined : countMembers(db, id),
  ])
  const [rows, parts] = await Promise.all([
    membersByIds(db, id, found.ids),
    partsIn(db, asked.groupId, found.ids),
  ])
  const byId = new Map(rows.map((row) => [row.id, row]))
  const people = found.ids.flatMap((one): Found[] => {
    const row = byId.get(one)
    return row ? [{ ...row, part: parts.get(one) }] : []
  })
  const total = all ?? found.total
  return { rows: people, total: Math.max(total, people.length), last: found.last }
}

const isNarrowed = (asked: MemberQuestion, realm: string) =>
  personConditions(asked, realm).length > 0 ||
  asked.groupId !== undefined ||
  asked.roleId !== undefined

/** Members of the organization, of the group and with the role that are asked for. */
function membership(organizationId: number, { groupId, membershipRole, roleId }: MemberQuestion) {
  const conditions: RawBuilder<boolean>[] = [
    sql`exists (select from core.membership m
      where m.user_id = u.id and m.organization_id = ${organizationId})`,
  ]
  if (groupId !== undefined) {
    const part = membershipRole === undefined ? sql`` : sql`and gm.role = ${membershipRole}`
    conditions.push(sql`exists (select from core.group_member gm where gm.user_id = u.id
      and gm.group_id = ${groupId} and gm.organization_id = ${organizationId} ${part})`)
  }
  if (roleId !== undefined) {
    conditions.push(sql`exists (select from core.group_member gm
      join core.group_role gr on gr.group_id = gm.group_id
      where gm.user_id = u.id and gr.role_id = ${roleId}
        and gm.organization_id = ${organizationId})`)
  }
  return conditions
}

/** Part (ADMIN or USER) of each of the people in a group, by their id. */
async function partsIn(db: Executor, groupId: number | undefined, people: readonly number[]) {
  if (groupId === undefined || people.length === 0) return new Map<number, 'ADMIN' | 'USER'>()
  const rows = await db
    .selectFrom('group_member')
    .select(['user_id', 'role'])
    .where('group_id', '=', groupId)
    .where('user_id', 'in', people)
    .execute()
  return new Map(rows.map(({ user_id, role }) => [user_id, role]))
}

async function countMembers(db: Executor, organizationId: number) {
  const { total } = await db
    .selectFrom('membership')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('organization_id', '=', organizationId)
    .executeTakeFirstOrThrow()
  return total
}
