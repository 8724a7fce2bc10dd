/** Value on the wire, as BSON and JSON represent it. Times are ms since 1970. */
export type Value =
  | number
  | boolean
  | string
  | Uint8Array
  | Value[]
  | { [field: string]: Value | null }

/** Value with its time (ms since 1970, by the source's clock). */
export type Sample = { v: Value; t: number }

/** Datatypes of a model's leaves. */
export const datatypes = [
  'integer',
  'double',
  'boolean',
  'string',
  'integerarray',
  'doublearray',
  'booleanarray',
  'binaryblob',
  'bytestring',
] as const
export type Datatype = (typeof datatypes)[number]
/** Type of a leaf: a datatype, or a struct that is sent as one document. */
export type LeafType = Datatype | 'struct'

export const isDatatype = (text: string): text is Datatype =>
  (datatypes as readonly string[]).includes(text)

export const isStructValue = (value: unknown): value is { [field: string]: Value | null } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)
