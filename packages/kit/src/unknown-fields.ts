import { z } from 'zod'
import type { Endpoint } from './contract.ts'

type Schema = z.core.$ZodType
/**
 * Path as a linked list from the inside to the outside, so that deeply nested values need no
 * copies.
 */
type Path = { step: string | number; within: Path } | undefined

/** Largest number of fields that are named; one is enough to refuse. */
const most = 20

/**
 * Unknown fields of a body, by path. They are refused, because the sender would believe that they
 * were stored. `ignored` are fields that existing clients send.
 */
export function unknownFields(schema: z.ZodType, value: unknown, ignored: readonly string[] = []) {
  const found: string[] = []
  collect(schema, value, { path: undefined, found, ignored })
  return found
}

type Walk = { path: Path; found: string[]; ignored: readonly string[] }

function collect(schema: Schema, value: unknown, walk: Walk): void {
  if (walk.found.length >= most || typeof value !== 'object' || value === null) return
  if (!mayHaveFields(schema)) return
  const inner = innerOf(schema)
  if (inner) return collect(inner, value, walk)
  const def = defOf(schema)
  switch (def.type) {
    case 'object':
      return ofObject(def, value as Record<string, unknown>, walk)
    case 'array':
      return ofItems(value, () => def.element, walk)
    case 'tuple':
      return ofItems(value, (place) => def.items[place] ?? def.rest ?? undefined, walk)
    case 'record':
      return ofItems(value, () => def.valueType, walk)
    case 'union':
      return unknownOfUnion(def.options, value, walk)
    case 'intersection':
      return ofBoth(def.left, def.right, value, walk)
    default:
  }
}

type Def = z.core.$ZodTypes['_zod']['def']
const defOf = (schema: Schema) => (schema as unknown as { def: Def }).def

/** Schema inside a wrapper: a default, a nullable, a transform. */
function innerOf(schema: Schema): Schema | undefined {
  const def = defOf(schema)
  if ('innerType' in def) return def.innerType
  if (def.type === 'pipe') return def.in
  if (def.type !== 'lazy') return undefined
  // Its getter makes another schema each time.
  const { _zod } = schema as z.core.$ZodLazy
  return _zod.innerType
}

function ofObject(def: z.core.$ZodObjectDef, value: Record<string, unknown>, walk: Walk) {
  // A list in place of an object has no fields, and may have a million entries.
  if (Array.isArray(value)) return
  const rest = def.catchall
  for (const [name, one] of Object.entries(value)) {
    const known = Object.hasOwn(def.shape, name) ? def.shape[name] : undefined
    const path = { step: name, within: walk.path }
    if (known) collect(known, one, { ...walk, path })
    else if (rest === undefined || defOf(rest).type === 'never') note(path, walk)
    else collect(rest, one, { ...walk, path })
  }
}

function note(path: Path, { found, ignored }: Walk) {
  if (found.length >= most) return
  const steps: (string | number)[] = []
  for (let one = path; one; one = one.within) steps.push(one.step)
  steps.reverse()
  // List indexes are not part of it: `rules.0.x` is ignored as `rules.x`.
  const plain = steps.filter((step) => typeof step === 'string').join('.')
  if (!ignored.includes(plain)) found.push(steps.join('.'))
}

function ofItems(
  value: object,
  schemaAt: (place: number) => Schema | undefined,
  { path, ...walk }: Walk,
) {
  const items = Array.isArray(value) ? value.entries() : Object.entries(value)
  for (const [step, one] of items) {
    const schema = schemaAt(Number(step))
    if (schema) collect(schema, one, { ...walk, path: { step, within: path } })
  }
}

/** Alternative that the value matches, with the fewest unknown fields. */
function unknownOfUnion(options: readonly Schema[], value: object, walk: Walk) {
  const fitting = fittingOf(options, value)
  if (fitting.length === 0) return ofNone(options, value, walk)
  const all = fitting.map((option) => {
    const found: string[] = []
    collect(option, value, { ...walk, found })
    return found
  })
  const [best = []] = all.toSorted((one, other) => one.length - other.length)
  walk.found.push(...best)
}

/**
 * Alternatives that the value matches. Where a fixed field tells them apart, the value is not
 * parsed: in a recursive schema each level would parse everything below it again.
 */
function fittingOf(options: readonly Schema[], value: object) {
  const possible = options.filter((option) => kindOf(option, value) !== 'other')
  const [first, ...rest] = possible
  if (first && rest.length === 0 && kindOf(first, value) === 'named') return possible
  return possible.filter((option) => (option as z.ZodType).safeParse(value).success)
}

/** `named` when fields with fixed values match this alternative, `other` when they do not. */
function kindOf(schema: Schema, value: object): 'named' | 'possible' | 'other' {
  const inner = innerOf(schema)
  if (inner) return kindOf(inner, value)
  const def = defOf(schema)
  if (def.type !== 'object') return 'possible'
  if (Array.isArray(value)) return 'other'
  const fixed = Object.entries(def.shape).filter(([, { _zod }]) => _zod.values !== undefined)
  const given = value as Record<string, z.core.util.Primitive>
  if (fixed.some(([name, { _zod }]) => _zod.values?.has(given[name]) !== true)) return 'other'
  return fixed.length > 0 ? 'named' : 'possible'
}

/**
 * Unknown fields when no alternative matches: those that none of them declares, without nested
 * ones.
 */
function ofNone(options: readonly Schema[], value: object, walk: Walk) {
  if (Array.isArray(value)) return
  const shapes = options.map(fieldsOf)
  for (const name of Object.keys(value)) {
    if (shapes.every((shape) => shape && !Object.hasOwn(shape, name)))
      note({ step: name, within: walk.path }, walk)
  }
}

/** Fields of an object schema that accepts no others. */
function fieldsOf(schema: Schema): object | undefined {
  const inner = innerOf(schema)
  if (inner) return fieldsOf(inner)
  const def = defOf(schema)
  if (def.type !== 'object') return undefined
  return def.catchall === undefined || defOf(def.catchall).type === 'never' ? def.shape : undefined
}

/** Unknown fields of an intersection: those that neither side knows. */
// oxlint-disable-next-line max-params -- two schemas of one value
function ofBoth(left: Schema, right: Schema, value: object, walk: Walk) {
  const [one, other] = [left, right].map((schema) => {
    const found: string[] = []
    collect(schema, value, { ...walk, found })
    return found
  })
  walk.found.push(...(one ?? []).filter((path) => other?.includes(path) === true))
}

const answered = new WeakMap<Schema, boolean>()

/**
 * True when values of a schema can have unknown fields, computed once for each schema, so that long
 * lists of plain values are not walked.
 */
function mayHaveFields(schema: Schema): boolean {
  const known = answered.get(schema)
  if (known !== undefined) return known
  const may = hasObject(schema, new Set())
  answered.set(schema, may)
  return may
}

/** Search for an object schema with named fields inside a schema that may be recursive. */
function hasObject(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  const def = defOf(schema)
  // Kinds that are decided only while walking may have some.
  if (def.type === 'object' || def.type === 'intersection') return true
  const inner = innerOf(schema)
  return (inner ? [inner] : partsOf(def)).some((part) => hasObject(part, seen))
}

function partsOf(def: Def): readonly Schema[] {
  switch (def.type) {
    case 'array':
      return [def.element]
    case 'record':
      return [def.valueType]
    case 'tuple':
      return [...def.items, ...(def.rest ? [def.rest] : [])]
    case 'union':
      return def.options
    default:
      return []
  }
}

/**
 * Sorting that clients send with every paged list; a list without sorting of its own ignores it.
 */
const orders = ['orderBy', 'orderDir']
const nothing = z.object({})

/**
 * Unknown query names or body fields of a call, as faults of the request. Calls between services
 * are exempt, since their versions may differ.
 */
export function droppedFields(endpoint: Endpoint, part: 'query' | 'body', value: unknown) {
  if (endpoint.access === 'service') return []
  const schema = endpoint[part] ?? nothing
  const ignored = part === 'body' ? endpoint.ignored : ignoredNames(endpoint)
  const message = 'is not a field of this call'
  return unknownFields(schema, value, ignored).map((field) => ({
    field,
    message,
    rule: 'unknown' as const,
  }))
}

function ignoredNames({ query, path }: Endpoint) {
  const paged = query instanceof z.ZodObject && 'page' in query.shape && 'pageSize' in query.shape
  // The organization of a call is in its path or in the query.
  return [...(paged ? orders : []), ...(path.includes('/:org') ? [] : ['organization'])]
}
