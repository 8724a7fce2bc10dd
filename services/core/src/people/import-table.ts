import { CsvError, parse } from 'csv-parse/sync'
import type { ImportField } from './import-contract.ts'

export type TableRow = { line: number; cells: string[] }
export type Table = { separator: string; headers: string[]; rows: TableRow[] }

/** Read a table of people; a text says why it cannot be read. */
export function readTable(csv: string): Table | string {
  const text = csv.replace(/^\uFEFF/, '')
  const separator = separatorOf(text)
  try {
    const records = parse(text, {
      delimiter: separator,
      info: true,
      relaxColumnCount: true,
      skipEmptyLines: true,
      skipRecordsWithEmptyValues: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[] // what `info` makes of a record
    const [first, ...rest] = records
    if (!first) return 'The table is empty'
    const rows = rest.map(({ record, info }) => ({
      line: info.lines,
      cells: record.map(withoutGuard),
    }))
    return { separator, headers: first.record, rows }
  } catch (error) {
    if (error instanceof CsvError) return error.message
    throw error
  }
}

/** Exported sheets put an apostrophe before what a spreadsheet would take for a formula. */
const withoutGuard = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

const separators = [',', ';', '\t', '|'] as const

/** The separator that the first line has most of, outside of quotes. */
export function separatorOf(text: string) {
  const line = /^[^\r\n]*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (separator: string) => line.split(separator).length
  return separators.reduce((best, one) => (count(one) > count(best) ? one : best), ',')
}

/** What columns are called, in the portal's languages and in what other systems export. */
const names: Record<ImportField, readonly string[]> = {
  username:
    'username user login loginname userid account benutzername benutzer anmeldename usuario nombredeusuario utilisateur nomdutilisateur identifiant nomeutente utente'.split(
      ' ',
    ),
  email:
    'email mail emailaddress mailadresse emailadresse correo correoelectronico courriel adressemail adresseemail indirizzoemail posta'.split(
      ' ',
    ),
  firstName: 'firstname givenname forename vorname nombre prenom nome'.split(' '),
  lastName:
    'lastname surname familyname nachname name familienname apellido apellidos nom nomdefamille cognome'.split(
      ' ',
    ),
  groups: 'groups group gruppen gruppe grupos grupo groupes groupe gruppi gruppo memberof'.split(
    ' ',
  ),
  adminGroups:
    'admingroups admingroup administratorof adminof gruppenadministrator verwaltetegruppen gruposadministrados groupesadministres gruppiamministrati'.split(
      ' ',
    ),
  roles: 'roles role rollen rolle rol ruoli ruolo'.split(' '),
}

const plain = (header: string) =>
  header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** Which column holds what: as the caller says, else by its name. */
export function mappingOf(
  headers: readonly string[],
  said: Partial<Record<ImportField, string>> = {},
): Partial<Record<ImportField, string>> {
  const taken = new Set(Object.values(said))
  const found = (Object.keys(names) as ImportField[]).flatMap((field) => {
    const header =
      said[field] ?? headers.find((one) => !taken.has(one) && names[field].includes(plain(one)))
    return header !== undefined && headers.includes(header) ? [[field, header] as const] : []
  })
  return Object.fromEntries(found)
}
