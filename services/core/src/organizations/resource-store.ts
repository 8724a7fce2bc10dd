import { type Kysely, sql } from 'kysely'
import type { CoreDb } from '../database.ts'

type ResourceRow = {
  id: number
  resourceId: string
  label: string
  people: number
  devices: number
  organizations: number
  keys: number
}

/** The organization alone, and each directly below it with all below that; counted in one query. */
export async function countResources(db: Kysely<CoreDb>, id: number) {
  const { rows } = await sql<ResourceRow>`
    with part as (
      select ${id}::int as top, ${id}::int as id
      union all
      select c.id, t.descendant from core.organization c
      join core.organization_tree t on t.ancestor = c.id
      join core.organization d on d.id = t.descendant and d.status = 'ACTIVE'
      where c.parent = ${id} and c.status = 'ACTIVE')
    select o.id, o.resource_id as "resourceId", o.label,
      coalesce(sum(m.count), 0)::int as people, coalesce(sum(d.count), 0)::int as devices,
      coalesce(sum(k.count), 0)::int as keys,
      (count(*) - 1)::int as organizations
    from part
    join core.organization o on o.id = part.top
    left join (select organization_id, count(*) from core.membership group by 1) m
      on m.organization_id = part.id
    left join (select organization_id, count(*) from core.device group by 1) d
      on d.organization_id = part.id
    left join (select organization_id, count(*) from core.api_key group by 1) k
      on k.organization_id = part.id
    group by o.id
    order by devices desc, people desc, o.label`.execute(db)
  return rows
}
