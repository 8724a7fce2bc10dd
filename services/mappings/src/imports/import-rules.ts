import type { Table, TableRow } from '@longreach/kit/table-text'
import type { ImportField, ImportLine, ImportProblem } from './import-contract.ts'

/** Device of one line of the table, as the job makes it. */
export type Wanted = {
  label: string
  description: string
  serialNumber: string
  tags: string[]
  presetId: string | null
  attributes: Record<string, unknown>
  groups: number[]
  /** resourceId. */
  organization: string
}

/** Existing objects that names in the table can refer to; all names are in lower case. */
export type Known = {
  home: string
  groups: ReadonlyMap<string, { id: number; allowed: boolean }>
  /** resourceIds by what an organization may be called. */
  organizations: ReadonlyMap<string, readonly string[]>
  /** Organizations in which the caller may make devices. */
  allowedIn: ReadonlySet<string>
  /** Id of a preset by organization and its name or id. */
  preset: (organization: string, named: string) => string | undefined
  /** Is there a device of this label in the organization? */
  present: (organization: string, label: string) => boolean
  /** Attributes as they are stored; a text says what is wrong. */
  attribute: (key: string, value: unknown) => Record<string, unknown> | string
}
export type PlannedLine = ImportLine & { wanted: Wanted }
export type Mapping = ReadonlyMap<string, string>

const longest = { label: 200, description: 2_000, serialNumber: 200 } as const

/** Columns by what they hold. */
type Columns = ReadonlyMap<string, { header: string; place: number }>

const columnsOf = ({ headers }: Table, mapping: Mapping): Columns =>
  new Map(
    [...mapping]
      .filter(([, target]) => target !== '')
      .map(([header, target]) => [target, { header, place: headers.indexOf(header) }]),
  )

/** Reads the cells of one line by field, and remembers what is wrong with them. */
function reader(columns: Columns, row: TableRow) {
  const problems: ImportProblem[] = []
  const placeOf = (target: string) => columns.get(target)?.place ?? -1
  const cell = (target: string) => row.cells[placeOf(target)] ?? ''
  const isText = (target: string) => row.texts?.includes(placeOf(target)) === true
  const wrong = (
    target: string,
    { code, message, value }: Omit<ImportProblem, 'column' | 'value'> & { value?: string },
  ) =>
    problems.push({
      column: columns.get(target)?.header ?? '',
      value: (value ?? cell(target)).slice(0, 100),
      code,
      message,
    })
  const text = (field: keyof typeof longest) => {
    const most = longest[field]
    if (cell(field).length > most) {
      wrong(field, { code: 'too_long', message: `At most ${most} characters fit here` })
    }
    return cell(field)
  }
  return { cell, isText, wrong, text, problems, columns }
}
type Reader = ReturnType<typeof reader>

/** Names in a cell; a device has at most 100 tags, so that one more is found to be too many. */
const mostNames = 101

/** A cell that holds several names separates them by `|`, `;` or `,`. */
export const splitNames = (cell: string) => [
  ...new Set(
    cell
      .split(/[|;,]/, mostNames)
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  ),
]

/** Tells what each line of a table would do; lines come in the table's order. */
export function linePlanner(table: Table, mapping: Mapping, known: Known) {
  const seen = new Map<string, number>()
  const columns = columnsOf(table, mapping)
  return (row: TableRow): PlannedLine => {
    const read = reader(columns, row)
    const wanted = wantedOf(read, known)
    checkExtraCells(read, table, row)
    const { label, organization, serialNumber } = wanted
    const key = `${organization}\n${label}`
    const before = seen.get(key)
    if (label !== '' && before === undefined) seen.set(key, row.line)
    if (label !== '' && before !== undefined) {
      const message = `"${label}" is in line ${before} already; keep one of the two`
      read.wrong('label', { code: 'twice', message })
    }
    const outcome =
      read.problems.length > 0 ? 'ERROR' : known.present(organization, label) ? 'PRESENT' : 'CREATE'
    const { line } = row
    return { line, label, serialNumber, organization, outcome, problems: read.problems, wanted }
  }
}

function wantedOf(read: Reader, known: Known): Wanted {
  if (read.cell('label') === '') {
    read.wrong('label', { code: 'missing', message: 'A device needs a name' })
  }
  const organization = readOrganizationCell(read, known)
  return {
    label: read.text('label'),
    description: read.text('description'),
    serialNumber: read.text('serialNumber'),
    tags: tagsOf(read),
    organization,
    presetId: readPreset(read, known, organization),
    attributes: { ...attributesOf(read, known), ...readPosition(read, known) },
    groups: groupsOf(read, known),
  }
}

function checkExtraCells({ problems }: Reader, { headers }: Table, { cells }: TableRow) {
  const beyond = cells.slice(headers.length).find((cell) => cell !== '')
  if (beyond === undefined) return
  const message = 'The line has more cells than the header; put quotes around texts with separators'
  problems.push({ column: '', value: beyond.slice(0, 100), code: 'too_many_cells', message })
}

function tagsOf(read: Reader) {
  const tags = splitNames(read.cell('tags'))
  if (tags.length > 100 || tags.some((tag) => tag.length > 100)) {
    const message = 'A device has at most 100 tags of 100 characters'
    read.wrong('tags', { code: 'too_long', message })
  }
  return tags
}

function readOrganizationCell(read: Reader, { home, organizations, allowedIn }: Known) {
  const value = read.cell('organization')
  const found = value === '' ? [home] : (organizations.get(value.toLowerCase()) ?? [])
  const [only = home] = found
  if (found.length === 0) {
    const message = `There is no organization "${value}" here or below; correct the name`
    read.wrong('organization', { code: 'unknown_organization', message })
  } else if (found.length > 1) {
    const message = `Several organizations are called "${value}"; write one of ${found.join(', ')}`
    read.wrong('organization', { code: 'several_organizations', message })
  } else if (!allowedIn.has(only)) {
    const message = `You may not make devices in "${value || only}"; ask its administrator`
    read.wrong('organization', { code: 'not_allowed_there', message })
  }
  return only
}

function readPreset(read: Reader, known: Known, organization: string) {
  const value = read.cell('preset')
  if (value === '') return null
  const id = known.preset(organization, value)
  if (id !== undefined) return id
  const message = `The device's organization has no preset "${value}"; make it first or correct the name`
  read.wrong('preset', { code: 'unknown_preset', message })
  return null
}

function groupsOf(read: Reader, { groups }: Known) {
  const ids: number[] = []
  for (const value of splitNames(read.cell('groups'))) {
    const found = groups.get(value.toLowerCase())
    if (found?.allowed) ids.push(found.id)
    else if (found) {
      const message = `You may not put devices into "${value}", or its roles give rights that you lack`
      read.wrong('groups', { code: 'beyond_own_rights', message, value })
    } else {
      const message = `There is no device group "${value}" here; make it first or correct the name`
      read.wrong('groups', { code: 'unknown_group', message, value })
    }
  }
  return ids
}

function attributesOf(read: Reader, { attribute }: Known) {
  const all: Record<string, unknown> = {}
  for (const target of read.columns.keys()) {
    if (!target.startsWith('attributes.') || read.cell(target) === '') continue
    const cell = read.cell(target)
    const value = read.isText(target) ? cell : toAttributeValue(cell)
    const made = attribute(target.slice('attributes.'.length), value)
    if (typeof made === 'string') {
      read.wrong(target, { code: 'refused_attribute', message: made })
    } else Object.assign(all, made)
  }
  return all
}

/** Numbers and yes or no are stored as such; a number that would be written otherwise stays a text. */
function toAttributeValue(cell: string): unknown {
  if (cell === 'true' || cell === 'false') return cell === 'true'
  if (/^-?\d{1,15}(\.\d{1,15})?$/.test(cell) && String(Number(cell)) === cell) return Number(cell)
  return cell
}

function readPosition(read: Reader, { attribute }: Known): Record<string, unknown> {
  const fields: ImportField[] = ['latitude', 'longitude']
  const apart = fields.map((field) => read.cell(field))
  const together = read.cell('position')
  if (together === '' && apart.every((one) => one === '')) return {}
  const at = together === '' ? 'latitude' : 'position'
  const [lat, lon, ...more] = together === '' ? apart : parts(together)
  const pair = [degrees(lat), degrees(lon)]
  const made = pair.includes(undefined) || more.length > 0 ? '' : attribute('geoLocation', pair)
  if (typeof made !== 'string') return made
  const message = 'A position is latitude and longitude in degrees, as 45.46 9.19'
  read.wrong(at, { code: 'malformed', message })
  return {}
}

/** `45.46, 9.19` and `45,46; 9,19` are the same place. */
const parts = (text: string) =>
  (/[;|]/.test(text) || /\d\s+-?\d/.test(text) ? text.split(/\s*[;|]\s*|\s+/) : text.split(','))
    .map((part) => part.replace(/,$/, '').trim())
    .filter((part) => part !== '')

function degrees(text = '') {
  const number = Number(text.replace(',', '.'))
  return text === '' || !Number.isFinite(number) ? undefined : number
}
