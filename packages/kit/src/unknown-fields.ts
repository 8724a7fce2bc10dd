import { z } from 'zod'
import type { Endpoint } from './contract.ts'

type Schema = z.core.$ZodType
/** Steps from the inside to the outside: a value within itself may be deep, and none of its paths is copied. */
type Path = { step: string | number; within: Path } | undefined

/** At most so many are named; one too many is fault enough. */
const most = 20

/**
 * Fields of a body that its schema does not know, by their paths. Such a field would be dropped, and who
 * sent it would believe it kept. `ignored` are fields that clients in the field are known to send.
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
      return ofUnion(def.options, value, walk)
    case 'intersection':
      return ofBoth(def.left, def.right, value, walk)
    default:
  }
}

type Def = z.core.$ZodTypes['_zod']['def']
const defOf = (schema: Schema) => (schema as unknown as { def: Def }).def

/** What a schema is about that only adds to another: a default, a null, a change of what was read. */
function innerOf(schema: Schema): Schema | undefined {
  const def = defOf(schema)
  if ('innerType' in def) return def.innerType
  if (def.type === 'pipe') return def.in
  if (def.type !== 'lazy') return undefined
  // Its getter would make another schema each time.
  const { _zod } = schema as z.core.$ZodLazy
  return _zod.innerType
}

function ofObject(def: z.core.$ZodObjectDef, value: Record<string, unknown>, walk: Walk) {
  // A list where an object is meant has no fields, and may have a million entries.
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
  // Places in lists do not count: `rules.0.x` is ignored as `rules.x`.
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

/** The alternative that the value is of, with the fewest fields that it does not know. */
function ofUnion(options: readonly Schema[], value: object, walk: Walk) {
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
 * The alternatives that a value is of. Where one is told by what the value names itself to be, it is not
 * read by it: of a schema within itself each level would read all that is below it.
 */
function fittingOf(options: readonly Schema[], value: object) {
  const possible = options.filter((option) => kindOf(option, value) !== 'other')
  const [first, ...rest] = possible
  if (first && rest.length === 0 && kindOf(first, value) === 'named') return possible
  return possible.filter((option) => (option as z.ZodType).safeParse(value).success)
}

/** `named` where fields of fixed values say that the value is of this alternative, `other` that it is not. */
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

/** Where no alternative fits, a field that none of them names is unknown; what is inside is not looked at. */
function ofNone(options: readonly Schema[], value: object, walk: Walk) {
  if (Array.isArray(value)) return
  const shapes = options.map(fieldsOf)
  for (const name of Object.keys(value)) {
    if (shapes.every((shape) => shape && !Object.hasOwn(shape, name)))
      note({ step: name, within: walk.path }, walk)
  }
}

/** The fields of an object that takes no others. */
function fieldsOf(schema: Schema): object | undefined {
  const inner = innerOf(schema)
  if (inner) return fieldsOf(inner)
  const def = defOf(schema)
  if (def.type !== 'object') return undefined
  return def.catchall === undefined || defOf(def.catchall).type === 'never' ? def.shape : undefined
}

/** What either side knows is known. */
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

/** Long lists of plain values, and JSON of any kind, are not walked: it is worked out once for a schema. */
function mayHaveFields(schema: Schema): boolean {
  const known = answered.get(schema)
  if (known !== undefined) return known
  const may = hasObject(schema, new Set())
  answered.set(schema, may)
  return may
}

/** Whether an object of named fields is anywhere in a schema, which may be within itself. */
function hasObject(schema: Schema, seen: Set<Schema>): boolean {
  if (seen.has(schema)) return false
  seen.add(schema)
  const def = defOf(schema)
  // What is found out only while walking may have some.
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

/** Order that clients ask of every paged list; one without an order of its own answers in the order it has. */
const orders = ['orderBy', 'orderDir']
const nothing = z.object({})

/**
 * Names in the address or fields of the body that a call would drop, as faults of the request. Services
 * among themselves may be of different versions.
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
  // The organization that a call is for stands in its path or here.
  return [...(paged ? orders : []), ...(path.includes('/:org') ? [] : ['organization'])]
}
