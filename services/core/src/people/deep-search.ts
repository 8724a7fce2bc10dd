import { failure } from '@longreach/kit/errors'
import { isAdmitted } from '@longreach/kit/admission-check'
import type { OrgCtx } from '@longreach/kit/service'
import { type Kysely, sql } from 'kysely'
import { coreContract } from '../contract.ts'
import type { CoreDb } from '../database.ts'
import type { PersonQuestion } from './person-filter.ts'
import { findPeople } from './person-search.ts'
import type { UserRow } from '../directory/user-store.ts'

type Executor = Kysely<CoreDb>
type Asking = Pick<OrgCtx, 'caller' | 'organization' | 'ip'>
type Found = UserRow & { places: string[] }

/** One page of the people of an organization and of all below it in which the caller may read people. */
export async function searchDeep(
  db: Executor,
  asking: Asking,
  asked: PersonQuestion & { orgResourceId?: string | undefined },
) {
  const ids = await searched(db, asking, asked.orgResourceId)
  const { realm } = asking.organization
  const among = [
    sql<boolean>`exists (select from core.membership m
      where m.user_id = u.id and m.organization_id = any(${ids}::int[]))`,
  ]
  const found = await findPeople(db, { realm, among, asked })
  const { rows } = await sql<Found>`
    select u.*, array(select o.resource_id from core.membership m
      join core.organization o on o.id = m.organization_id
      where m.user_id = u.id and o.id = any(${ids}::int[]) order by o.resource_id) as places
    from core.app_user u where u.id = any(${found.ids}::int[])
    order by array_position(${found.ids}::int[], u.id)`.execute(db)
  return { rows, total: Math.max(found.total, rows.length), last: found.last }
}

/** Ids of the organizations to search: all that the caller may, or the one that is named. */
async function searched(db: Executor, asking: Asking, named: string | undefined) {
  const readable = (await readableBelow(db, asking)).filter((one) =>
    isAdmitted(asking.caller, asking.ip, one),
  )
  const chosen = readable.filter((one) => named === undefined || one.resourceId === named)
  if (named !== undefined && chosen.length === 0) {
    const message = `There is no organization ${named} in which you may see people`
    throw failure(coreContract, 'not_found', { field: 'orgResourceId', message })
  }
  return chosen.map(({ id }) => id)
}

type Readable = {
  id: number
  resourceId: string
  name: string
  label: string
  realm: string
  dataEnabled: boolean
  vpnEnabled: boolean
  allowedAddresses: string[]
  secondFactorRequired: boolean
}

/** Organizations at and below one in which a role, there or reaching down to there, lets the caller read people. */
async function readableBelow(db: Executor, { caller, organization }: Asking) {
  const { rows } = await sql<Readable>`
    select o.id, o.resource_id as "resourceId", o.name, o.label, o.realm,
      o.data_enabled as "dataEnabled", o.vpn_enabled as "vpnEnabled",
      o.ip_addresses_whitelist as "allowedAddresses",
      o.second_factor_required as "secondFactorRequired"
    from core.organization_tree below
    join core.organization o on o.id = below.descendant and o.status = 'ACTIVE'
    where below.ancestor = ${organization.id} and exists (
      select from core.organization_tree t
      join core.organization above on above.id = t.ancestor
        and above.private_root is not distinct from o.private_root
      join core.group_member gm on gm.organization_id = t.ancestor
      join core.app_user u on u.id = gm.user_id and u.enabled
      join core.group_role gr on gr.group_id = gm.group_id
      join core.role r on r.id = gr.role_id and r.enabled and (t.distance = 0 or r.inherit)
      join core.role_rule rr on rr.role_id = r.id
        and rr.resource = 'users' and 'read' = any(rr.actions)
      where t.descendant = o.id and u.sub = ${caller.sub})`.execute(db)
  return rows
}
