import type { Table, TableRow } from '@longreach/kit/table-text'
import { localName } from '@longreach/kit/person-name-rules'
import type { z } from 'zod'
import type { ImportField, ImportLine, ImportProblem } from './import-contract.ts'
import { Email, NewPerson, Username } from '../directory/person-contract.ts'

/** Person of one line of the table, as the job adds it. */
export type ImportPerson = {
  username: string
  email: string
  firstName: string
  lastName: string
  existing: boolean
  regularUserOf: number[]
  adminUserOf: number[]
  rolesId: number[]
}

export type Named = { id: number; names: readonly string[]; allowed: boolean }
/** Existing people, groups and roles that names in the table can refer to. */
export type Known = {
  realm: string
  groups: readonly Named[]
  roles: readonly Named[]
  /** User names of people whom the caller administers, and whether each is a member here. */
  people: ReadonlyMap<string, { member: boolean }>
}

export type PlannedLine = ImportLine & { person: ImportPerson }
type Mapping = Partial<Record<ImportField, string>>
type ByName = Record<'groups' | 'roles', ReadonlyMap<string, Named>>

/** Of several with one name the first counts. */
const byName = (all: readonly Named[]) =>
  new Map(all.toReversed().flatMap((one) => one.names.map((name) => [name, one] as const)))

/** Names in a cell; what comes after them is not read. */
const mostNames = 50
/** Problems of one cell that are told. */
const mostProblems = 5

/** The cells of a line by field; a cell that holds several names separates them by `|`, `;` or `,`. */
export function cellsOf({ headers }: Table, mapping: Mapping, { cells }: TableRow) {
  const cell = (field: ImportField) => {
    const header = mapping[field]
    return header === undefined ? '' : (cells[headers.indexOf(header)] ?? '')
  }
  const several = (field: ImportField) =>
    cell(field)
      .split(/[|;,]/, mostNames)
      .map((name) => name.trim())
      .filter((name) => name !== '')
  const email = cell('email')
  return {
    username: (cell('username') || email).trim().toLowerCase(),
    email,
    firstName: cell('firstName'),
    lastName: cell('lastName'),
    groups: several('groups'),
    adminGroups: several('adminGroups'),
    roles: several('roles'),
  }
}

/** Tells what each line of a table would do; lines come in the table's order. */
export function linePlanner(table: Table, mapping: Mapping, known: Known) {
  const seen = new Map<string, number>()
  const named = { groups: byName(known.groups), roles: byName(known.roles) }
  return (row: TableRow): PlannedLine => {
    const cells = cellsOf(table, mapping, row)
    const username = localName(cells.username, known.realm)
    const before = seen.get(username)
    if (cells.username !== '' && before === undefined) seen.set(username, row.line)
    const { person, problems } = planOne(table, mapping, named, row)
    const column = mapping.username ?? mapping.email ?? ''
    if (before !== undefined && cells.username !== '') {
      const message = `"${cells.username}" is in line ${before} already; keep one of the two`
      problems.push({ column, value: cells.username, code: 'twice', message })
    }
    const there = known.people.get(username)
    const outcome =
      problems.length > 0 ? 'ERROR' : there ? (there.member ? 'PRESENT' : 'JOIN') : 'CREATE'
    return {
      line: row.line,
      username: cells.username,
      email: cells.email,
      outcome,
      problems,
      person: { ...person, existing: outcome === 'JOIN' },
    }
  }
}

// oxlint-disable-next-line max-params -- one line of one table in one organization
function planOne(table: Table, mapping: Mapping, known: ByName, row: TableRow) {
  const cells = cellsOf(table, mapping, row)
  const groups = look(cells.groups, known.groups, { column: mapping.groups, what: 'group' })
  const admins = look(cells.adminGroups, known.groups, {
    column: mapping.adminGroups,
    what: 'group',
  })
  const roles = look(cells.roles, known.roles, { column: mapping.roles, what: 'role' })
  const problems = [
    ...tooMany(table, row),
    ...(cells.username === ''
      ? [missingCell(mapping.username ?? mapping.email ?? '')]
      : fits(Username, cells.username, mapping.username ?? mapping.email)),
    ...fits(Email, cells.email, mapping.email),
    ...fits(NewPerson.shape.firstName, cells.firstName, mapping.firstName),
    ...fits(NewPerson.shape.lastName, cells.lastName, mapping.lastName),
    ...groups.problems,
    ...admins.problems,
    ...roles.problems,
  ]
  const { username, email, firstName, lastName } = cells
  const person = {
    username,
    email,
    firstName,
    lastName,
    regularUserOf: groups.ids,
    adminUserOf: admins.ids,
    rolesId: roles.ids,
  }
  return { person, problems }
}

const missingCell = (column: string): ImportProblem => ({
  column,
  value: '',
  code: 'missing',
  message: 'A user name is needed, or an e-mail address in its place',
})

function tooMany({ headers }: Table, { cells }: TableRow): ImportProblem[] {
  const beyond = cells.slice(headers.length).find((cell) => cell !== '')
  if (beyond === undefined) return []
  const message = 'The line has more cells than the header; put quotes around texts with separators'
  return [{ column: '', value: beyond.slice(0, 100), code: 'too_many_cells', message }]
}

function fits(schema: z.ZodType, value: string, column: string | undefined): ImportProblem[] {
  const { error } = schema.safeParse(value)
  const [issue] = error?.issues ?? []
  if (column === undefined || !issue) return []
  const long = issue.code === 'too_big'
  return [
    {
      column,
      value: value.slice(0, 100),
      code: long ? 'too_long' : 'malformed',
      message: long ? 'This text is too long' : `"${value.slice(0, 100)}" ${issue.message}`,
    },
  ]
}

function look(
  names: readonly string[],
  known: ReadonlyMap<string, Named>,
  { column = '', what }: { column: string | undefined; what: 'group' | 'role' },
) {
  const ids: number[] = []
  const problems: ImportProblem[] = []
  for (const value of names) {
    if (problems.length >= mostProblems) break
    const found = known.get(value.toLowerCase())
    if (found?.allowed) ids.push(found.id)
    else if (found) {
      const message = `"${value}" gives rights that you do not have; ask an administrator`
      problems.push({ column, value, code: 'beyond_own_rights', message })
    } else {
      const message = `There is no ${what} "${value}" here; make it first or correct the name`
      problems.push({ column, value, code: `unknown_${what}`, message })
    }
  }
  return { ids, problems }
}
