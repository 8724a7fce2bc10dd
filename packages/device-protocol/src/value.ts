/** A value as it travels: what BSON and JSON can say of a tag. Times are ms since 1970. */
export type Value =
  | number
  | boolean
  | string
  | Uint8Array
  | Value[]
  | { [field: string]: Value | null }

/** A value and when it was true (ms since 1970, by the source's clock). */
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
/** Type of a leaf of a configuration: a datatype, or a struct that travels as one document. */
export type LeafType = Datatype | 'struct'

export const isDatatype = (text: string): text is Datatype =>
  (datatypes as readonly string[]).includes(text)

export const isStructValue = (value: unknown): value is { [field: string]: Value | null } =>
  typeof value === 'object' &&
  value !== null &&
  !Array.isArray(value) &&
  !(value instanceof Uint8Array)
