import { AppError, failure } from '@longreach/kit/errors'
import { mapInSlices } from '@longreach/kit/time-slices'
import { localName } from '@longreach/kit/person-name-rules'
import type { OrgCtx } from '@longreach/kit/service'
import { readTableBeside, type Table } from '@longreach/kit/table-text'
import { sql } from 'kysely'
import { checkMayGrant } from '../access/handing-out.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { searchGroups } from '../groups/group-search.ts'
import { rolesByIds, searchRoles } from '../roles/role-store.ts'
import { type ImportField, mostImportLines } from './import-contract.ts'
import { cellsOf, type Known, linePlanner, type Named } from './import-rules.ts'
import { mappingOf } from './import-table.ts'

type Asked = { csv: string; mapping?: Partial<Record<ImportField, string>> | undefined }

/** Plan of an import of people into the organization of the call: columns and the result of each line. */
export async function planImport(deps: CoreDeps, ctx: OrgCtx, { csv, mapping: said }: Asked) {
  const table = await readTableBeside(csv)
  if (typeof table === 'string') throw unreadable(table)
  const mapping = mappingOf(table.headers, said)
  if (mapping.username === undefined && mapping.email === undefined) {
    throw unreadable(
      'No column is named like a user name or an e-mail address; say which columns these are',
      table,
      { fault: 'people_columns' },
    )
  }
  if (table.rows.length > mostImportLines) {
    throw unreadable(`A table has at most ${mostImportLines} lines; cut it into several`, table)
  }
  const rows = await mapInSlices(table.rows, (row) => cellsOf(table, mapping, row))
  const { realm } = ctx.organization
  const known: Known = {
    realm,
    groups: await knownGroups(
      deps,
      ctx,
      namesIn(rows.flatMap((row) => [...row.groups, ...row.adminGroups])),
    ),
    roles: await knownRoles(deps, ctx, namesIn(rows.flatMap((row) => row.roles))),
    people: await knownPeople(
      deps,
      ctx,
      rows.map((row) => localName(row.username, realm)),
    ),
  }
  const lines = await mapInSlices(table.rows, linePlanner(table, mapping, known))
  return { table, mapping, lines }
}

const namesIn = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()))

function unreadable(message: string, table?: Table, more: { fault?: string } = {}) {
  const seen = table && { headers: table.headers, separator: table.separator }
  return failure(coreContract, 'unreadable_table', { field: 'csv', message, ...seen, ...more })
}

const all = { page: 0, pageSize: 10_000 }

async function knownGroups(deps: CoreDeps, ctx: OrgCtx, named: ReadonlySet<string>) {
  if (named.size === 0) return []
  const { id } = ctx.organization
  const { rows } = await searchGroups(deps.db, id, { ...all, type: 'STANDARD', orderDir: 'asc' })
  const used = rows.filter((group) => named.has(group.name.toLowerCase()))
  return Promise.all(
    used.map(async (group): Promise<Named> => {
      const roles = await rolesByIds(deps.db, id, group.roles)
      const allowed = await mayGive(deps, ctx, roles)
      return { id: group.id, names: [group.name.toLowerCase()], allowed }
    }),
  )
}

async function knownRoles(deps: CoreDeps, ctx: OrgCtx, named: ReadonlySet<string>) {
  if (named.size === 0) return []
  const { rows } = await searchRoles(deps.db, ctx.organization.id, all)
  const used = rows.map((role) => ({
    role,
    names: [role.name.toLowerCase(), role.label.toLowerCase()],
  }))
  return Promise.all(
    used
      .filter(({ names }) => names.some((name) => named.has(name)))
      .map(async ({ role, names }): Promise<Named> => {
        return { id: role.id, names, allowed: await mayGive(deps, ctx, [role]) }
      }),
  )
}

async function mayGive(deps: CoreDeps, ctx: OrgCtx, roles: Parameters<typeof checkMayGrant>[2]) {
  try {
    await checkMayGrant(deps, ctx, roles)
    return true
  } catch (error) {
    if (error instanceof AppError && error.status === 403) return false
    throw error
  }
}

/**
 * User names among these that the caller knows anyway: members here, and people of other
 * organizations in which the caller changes people. Nothing is told of anybody else.
 */
async function knownPeople({ db }: CoreDeps, ctx: OrgCtx, usernames: readonly string[]) {
  const { rows } = await sql<{ username: string; member: boolean }>`
    with own as (
      select distinct t.descendant as id
      from core.app_user u
      join core.group_member gm on gm.user_id = u.id
      join core.group_role gr on gr.group_id = gm.group_id
      join core.role r on r.id = gr.role_id and r.enabled
      join core.role_rule rr on rr.role_id = r.id
        and rr.resource = 'users' and 'update' = any(rr.actions)
      join core.organization_tree t on t.ancestor = gm.organization_id
        and (t.distance = 0 or r.inherit)
      join core.organization above on above.id = t.ancestor
      join core.organization o on o.id = t.descendant and o.status = 'ACTIVE'
        and above.private_root is not distinct from o.private_root
      where u.sub = ${ctx.caller.sub}::uuid and u.enabled)
    select u.username, bool_or(m.organization_id = ${ctx.organization.id}) as member
    from core.app_user u
    join core.membership m on m.user_id = u.id
    where u.realm = ${ctx.organization.realm} and u.username = any(${usernames}::text[])
      and (m.organization_id = ${ctx.organization.id} or m.organization_id in (select id from own))
    group by u.username`.execute(db)
  return new Map(rows.map(({ username, member }) => [username, { member }]))
}
