import type { Input, Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'

type Mappings = (typeof mappingsContract)['endpoints']
/** Plan of an import of devices from a table. */
export type Plan = Result<Mappings['importDevices']>
/** A table, and how it is to be read. */
export type Asked = Input<Mappings['importDevices']>['body']
/** Progress of an import. */
export type DeviceImport = Result<Mappings['deviceImport']>
/** The devices of an import with their keys. */
export type Sheet = Result<Mappings['deviceImportSheet']>['data']

export type SheetLine = Sheet[number]
export type ImportFault = NonNullable<SheetLine['fault']>

/** Fields that a column may hold, apart from attributes. */
export const fields = [
  'label',
  'description',
  'serialNumber',
  'tags',
  'position',
  'latitude',
  'longitude',
  'preset',
  'groups',
  'organization',
] as const
/** Names of the columns of an empty table to fill in. */
export const template = [
  'name',
  'description',
  'serial number',
  'tags',
  'position',
  'preset',
  'groups',
  'organization',
  'attributes.line',
]
