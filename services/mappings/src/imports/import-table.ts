import { CsvError, parse } from 'csv-parse/sync'
import { type ImportField, importSeparators } from './import-contract.ts'

export type TableRow = { line: number; cells: string[] }
export type Table = { separator: string; headers: string[]; rows: TableRow[] }

/** Read a table of devices; a text says why it cannot be read. */
export function readTable(csv: string, said?: string): Table | string {
  const text = csv.replace(/^\uFEFF/, '')
  const separator = said ?? separatorOf(text)
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
    const headers = first.record
    const twice = headers.find((one, place) => one !== '' && headers.indexOf(one) !== place)
    if (twice !== undefined) return `Two columns are called "${twice}"; give one another name`
    const rows = rest.map(({ record, info }) => ({
      line: info.lines,
      cells: record.map(withoutGuard),
    }))
    return { separator, headers, rows }
  } catch (error) {
    if (error instanceof CsvError) return error.message
    throw error
  }
}

/** Exported sheets put an apostrophe before what a spreadsheet would take for a formula. */
const withoutGuard = (cell: string) => (/^'[=+\-@\t\r]/.test(cell) ? cell.slice(1) : cell)

/** The separator that the first line has most of, outside of quotes. */
function separatorOf(text: string) {
  const line = /^[^\r\n]*/.exec(text)?.[0].replaceAll(/"[^"]*"/g, '') ?? ''
  const count = (separator: string) => line.split(separator).length
  return importSeparators.reduce<string>(
    (best, one) => (count(one) > count(best) ? one : best),
    ',',
  )
}

/** What columns are called, in the portal's languages and in what other systems export. */
const names: Record<ImportField, string> = {
  label:
    'label name device devicename gerat gerate geratename bezeichnung nombre dispositivo appareil nom libelle etiquette dispositif etichetta nome titel title',
  description: 'description beschreibung descripcion descrizione notes notiz comment kommentar',
  serialNumber:
    'serialnumber serial serialno sn seriennummer numerodeserie numerodiserie matricola serie',
  tags: 'tags tag schlagworter schlagworte etiquetas mots motscles keywords labels',
  position:
    'position geolocation location standort posicion ubicacion emplacement posizione latlon',
  latitude: 'latitude lat breite breitengrad latitud latitudine',
  longitude: 'longitude lon lng long lange langengrad longitud longitudine',
  preset:
    'preset presetid presetname vorlage voreinstellung preajuste prereglage profile deviceprofile',
  groups:
    'groups group devicegroups gerategruppen gerategruppe gruppen gruppe grupos grupo groupes groupe gruppi gruppo',
  organization: 'organization organisation organizacion organizzazione org tenant customer kunde',
}

const plain = (header: string) =>
  header
    .normalize('NFD')
    .toLowerCase()
    .replaceAll(/[^a-z]/g, '')

/** What each column holds: as the caller says, else by its name; empty: nothing. */
export function mappingOf(
  headers: readonly string[],
  said: Readonly<Record<string, string>> = {},
): Map<string, string> {
  const taken = new Set(Object.values(said))
  const mapping = new Map<string, string>()
  for (const header of headers) {
    if (header === '') continue
    const told = Object.hasOwn(said, header) ? said[header] : undefined
    const guessed = told ?? guess(header)
    // A field is in one column; the first that is named like it has it.
    const target = told === undefined && taken.has(guessed) ? '' : guessed
    if (target !== '') taken.add(target)
    mapping.set(header, target)
  }
  return mapping
}

function guess(header: string): string {
  const attribute = /^(?:attributes?|attr)[.:]\s*(.{1,200})$/i.exec(header)?.[1]
  if (attribute) return `attributes.${attribute.trim()}`
  const name = plain(header)
  const fields = Object.entries(names).find(([, known]) => known.split(' ').includes(name))
  return fields?.[0] ?? ''
}
