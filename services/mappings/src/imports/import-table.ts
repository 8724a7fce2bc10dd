import { plainHeader } from '@longreach/kit/table-text'
import type { ImportField } from './import-contract.ts'

/** Usual names of columns, in the languages of the portal and of exports of other systems. */
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

/** Field of each column: as the caller says, else found by its name; empty: none. */
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
  const name = plainHeader(header)
  const fields = Object.entries(names).find(([, known]) => known.split(' ').includes(name))
  return fields?.[0] ?? ''
}
