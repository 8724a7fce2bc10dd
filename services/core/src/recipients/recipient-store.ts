import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type Question = { organizationId: number; people: readonly string[]; groups: readonly string[] }

type Row = {
  sub: string
  realm: string
  username: string
  email: string
  first_name: string
  last_name: string
  language: string | null
  groups: string[]
}

/** Enabled members of an organization who are named or in one of the groups. */
export async function findRecipients(db: Kysely<CoreDb>, question: Question) {
  const { organizationId, people, groups } = question
  const { rows } = await sql<Row>`
    select u.sub::text as sub, u.realm, u.username, u.email, u.first_name, u.last_name,
      (select p.value from core.user_preference p
        where p.user_id = u.id and p.service_name = 'locale' order by p.id desc limit 1) as language,
      coalesce(of.groups, '{}') as groups
    from core.app_user u
    join core.membership m on m.user_id = u.id and m.organization_id = ${organizationId}
    left join lateral (
      select array_agg(asked.text) as groups from core.group_member gm
      join core.user_group g on g.id = gm.group_id
      join unnest(${groups}::text[]) as asked(text) on asked.text in (g.id::text, g.name)
        -- Each person has a group of their own, with their name.
        and g.type in ('STANDARD', 'ALL_USER')
      where gm.user_id = u.id and gm.organization_id = ${organizationId}) of on true
    where u.enabled
      and (u.sub::text = any(${people}) or u.username = any(${people}) or of.groups is not null)
    order by u.username`.execute(db)
  return rows
}

/** Texts of the question that name a group of the organization. */
export async function findGroups(db: Kysely<CoreDb>, question: Question) {
  const { rows } = await sql<{ text: string }>`
    select distinct asked.text from unnest(${question.groups}::text[]) as asked(text)
    join core.user_group g on asked.text in (g.id::text, g.name)
    where g.organization_id = ${question.organizationId} and g.type in ('STANDARD', 'ALL_USER')`.execute(
    db,
  )
  return rows.map(({ text }) => text)
}

type Active = { id: number; label: string; realm: string; closed: string[] }

/** Active organization of a resourceId, with those below that its rights do not reach or that are deleted. */
export async function findActive(db: Kysely<CoreDb>, resourceId: string) {
  const { rows } = await sql<Active>`
    select o.id, o.label, o.realm, array(
      select closed.resource_id
      from core.organization closed join core.organization outside on outside.id = closed.parent
      where starts_with(closed.resource_id, o.resource_id || '.')
        and ((closed.private_access and outside.private_root is not distinct from o.private_root)
          or (closed.status = 'DELETING' and outside.status = 'ACTIVE'))) as closed
    from core.organization o
    where o.resource_id = ${resourceId} and o.status = 'ACTIVE'`.execute(db)
  return rows[0]
}
