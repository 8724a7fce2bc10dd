import { z } from 'zod'

/**
 * Parameters of a model: an object declares them, `template` uses them as `{name}` in texts and limits
 * of the object and what it holds, and `arguments` gives their values where the object stands. A model
 * sees its own parameters only; values of the ones around it reach it by its arguments.
 */
export const Parameter = z.strictObject({
  name: z.string().regex(/^[A-Za-z_]\w{0,49}$/),
  type: z.enum(['text', 'number']),
  label: z.string().max(200).optional(),
  default: z.union([z.string(), z.number()]).optional(),
})
export type Parameter = z.output<typeof Parameter>

const templateKeys = ['label', 'description', 'unit', 'min', 'max'] as const
export const mostParameters = 50
const longestValue = 100
const longestTemplate = 1_000
const mostPlaceholders = 8
/** Characters that values add to all texts of a tree. */
const mostFilled = 1_000_000
const deepest = 40
const placeholder = /\{([A-Za-z_]\w{0,49})\}/g

type ParameterRule =
  | 'parameters'
  | 'parameterName'
  | 'parameterValue'
  | 'parameterUnknown'
  | 'parameterNumber'
  | 'template'
  | 'filledLong'
type ParameterFault = { path: string; rule: ParameterRule; message: string; name?: string }

type Tree = Readonly<Record<string, unknown>>
type Value = string | number | undefined
type Scope = ReadonlyMap<string, { type: Parameter['type']; value: Value }>
type Place = { at: string; depth: number; scope: Scope }
type Filling = { faults: ParameterFault[]; room: number }

const isModelTree = (value: unknown): value is Tree =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
const pathBelow = (at: string, key: string) => (at === '' ? key : `${at}.${key}`)

/** The tree with the values of its parameters in all texts and limits that use them. */
export function fillParameters(root: Tree): { tree: Tree; faults: ParameterFault[] } {
  const filling: Filling = { faults: [], room: mostFilled }
  const tree = fillNode(root, { at: '', depth: 0, scope: new Map() }, filling)
  return { tree, faults: filling.faults }
}

/** An object inside of a model as a model of its own, without the arguments given to it. */
export function withoutArguments(node: Tree): Tree {
  if (node['arguments'] === undefined) return node
  const { arguments: _given, ...declared } = node
  return fillParameters(declared).tree
}

/** The parameters that a node declares, as far as they are good. */
export function parametersOf(node: Tree): Parameter[] {
  const { parameters } = node
  if (!Array.isArray(parameters)) return []
  return parameters.slice(0, mostParameters).flatMap((one) => {
    const { success, data } = Parameter.safeParse(one)
    return success ? [data] : []
  })
}

/** Names that a text uses as `{name}`. */
export const namesUsed = (text: string) =>
  [...text.matchAll(placeholder)].map(([, name = '']) => name)

function fillNode(node: Tree, place: Place, filling: Filling): Tree {
  if (place.depth > deepest) return node
  const scope = scopeOf(node, place, filling)
  const inside = { at: place.at, depth: place.depth + 1, scope }
  const changes: Record<string, unknown> = fillTexts(node, { ...place, scope }, filling)
  const { properties, item } = node
  if (isModelTree(properties)) {
    const next = Object.entries(properties).map(([name, child]) => {
      const at = pathBelow(pathBelow(place.at, 'properties'), name)
      return [
        name,
        isModelTree(child) ? fillNode(child, { ...inside, at }, filling) : child,
      ] as const
    })
    if (next.some(([name, child]) => child !== properties[name])) {
      changes['properties'] = Object.fromEntries(next)
    }
  }
  if (isModelTree(item)) {
    const next = fillNode(item, { ...inside, at: pathBelow(place.at, 'item') }, filling)
    if (next !== item) changes['item'] = next
  }
  if (Object.keys(changes).length === 0) return node
  return Object.fromEntries(
    Object.entries({ ...node, ...changes }).filter(([, value]) => value !== undefined),
  )
}

/** The parameters that texts of a node may use: an object's own, or those of the object around it. */
function scopeOf(node: Tree, { at, scope }: Place, filling: Filling): Scope {
  const wrong = faultsAt(at, filling)
  const { parameters, arguments: given } = node
  const isObject = node['type'] === 'object' || node['type'] === 'struct'
  if (!isObject) {
    if (parameters !== undefined) wrong('parameters', 'parameters', 'only objects have parameters')
    if (given !== undefined) wrong('arguments', 'parameters', 'only objects take values')
    return scope
  }
  if (parameters === undefined && given === undefined) return new Map()
  const declared = parametersOf(node)
  judgeDeclared(parameters, declared, wrong)
  if (given !== undefined && !isModelTree(given))
    wrong('arguments', 'parameters', 'must be an object')
  const values = isModelTree(given) ? given : {}
  for (const name of Object.keys(values)) {
    if (declared.some((one) => one.name === name)) continue
    wrong(`arguments.${name}`, 'parameterUnknown', `there is no parameter ${name}`, name)
  }
  return new Map(
    declared.map((one) => {
      const { name, type } = one
      const value = values[name]
      const key = `arguments.${name}`
      return [name, { type, value: valueOf(one, value, { scope, wrong, key }) }]
    }),
  )
}

type Wrong = (key: string, rule: ParameterRule, message: string, name?: string) => void

const faultsAt =
  (at: string, { faults }: Filling): Wrong =>
  (key, rule, message, name) =>
    void faults.push({
      path: pathBelow(at, key),
      rule,
      message,
      ...(name !== undefined && { name: name.slice(0, 50) }),
    })

function judgeDeclared(parameters: unknown, declared: readonly Parameter[], wrong: Wrong) {
  if (parameters === undefined) return
  if (!Array.isArray(parameters) || parameters.length > mostParameters) {
    wrong('parameters', 'parameters', `must be a list of at most ${mostParameters}`)
    return
  }
  if (declared.length < parameters.length) {
    const index = parameters.findIndex((one) => !Parameter.safeParse(one).success)
    wrong(
      `parameters.${index}`,
      'parameterName',
      'needs a name of letters, digits and _, and a type',
    )
  }
  const names = new Set<string>()
  for (const one of declared) {
    if (names.has(one.name)) {
      wrong('parameters', 'parameterName', `the name ${one.name} is there twice`, one.name)
    }
    names.add(one.name)
    if (one.default !== undefined && !fits(one.type, one.default)) {
      wrong('parameters', 'parameterValue', `the default of ${one.name} does not fit`, one.name)
    }
  }
}

const fits = (type: Parameter['type'], value: unknown) =>
  type === 'number'
    ? Number.isFinite(value)
    : typeof value === 'string' && value.length <= longestValue

type Giving = { scope: Scope; wrong: Wrong; key: string }

/** The value of a parameter where its object stands: given, of a parameter around it, or its default. */
function valueOf(parameter: Parameter, given: unknown, giving: Giving): Value {
  const { name, type, default: standard } = parameter
  if (given === undefined || given === null || given === '') {
    return standard !== undefined && fits(type, standard) ? standard : undefined
  }
  if (fits('number', given) && type === 'number') return Number(given)
  if (fits('text', given)) return valueOfText(parameter, String(given), giving)
  giving.wrong(giving.key, 'parameterValue', `the value of ${name} does not fit`, name)
  return undefined
}

function valueOfText({ name, type }: Parameter, text: string, { scope, wrong, key }: Giving) {
  for (const used of namesUsed(text)) {
    if (scope.has(used)) continue
    wrong(key, 'parameterUnknown', `there is no parameter ${used} around this`, used)
  }
  if (type === 'text') return filled(text, scope).slice(0, longestValue)
  const outer = numberNamed(text, scope)
  if (!outer) wrong(key, 'parameterNumber', `${name} is a number`, name)
  return outer?.value
}

/** A text with the values in it; what has none stays as it is. */
const filled = (text: string, scope: Scope) =>
  text.replaceAll(placeholder, (all, name: string) => String(scope.get(name)?.value ?? all))

/** The texts and limits that a node's template makes. */
function fillTexts(node: Tree, { at, scope }: Place, filling: Filling) {
  const { template } = node
  const made: Record<string, unknown> = {}
  if (template === undefined) return made
  if (!isModelTree(template)) {
    faultsAt(at, filling)('template', 'template', 'must be an object')
    return made
  }
  const wrong = faultsAt(pathBelow(at, 'template'), filling)
  for (const [key, text] of Object.entries(template)) {
    const found = filledKey(key, text, scope)
    if ('rule' in found) {
      wrong(key.slice(0, 50), found.rule, found.message, found.name)
      continue
    }
    filling.room -= typeof found.value === 'string' ? found.value.length : 0
    if (filling.room < 0) {
      wrong(key, 'filledLong', 'the values make too long texts of this model')
      return made
    }
    if (node[key] !== found.value) made[key] = found.value
  }
  return made
}

type Found = { value: Value } | Omit<ParameterFault, 'path'>

function filledKey(key: string, text: unknown, scope: Scope): Found {
  if (!isTemplate(key, text)) {
    return { rule: 'template', message: 'must be a text with parameters as {name}' }
  }
  const unknown = namesUsed(text).find((name) => !scope.has(name))
  if (unknown !== undefined) {
    return { rule: 'parameterUnknown', message: `there is no parameter ${unknown}`, name: unknown }
  }
  if (key !== 'min' && key !== 'max') return { value: filled(text, scope) }
  const parameter = numberNamed(text, scope)
  if (parameter) return { value: parameter.value }
  return { rule: 'parameterNumber', message: 'a limit is one parameter that is a number' }
}

const isTemplate = (key: string, text: unknown): text is string =>
  templateKeys.some((one) => one === key) &&
  typeof text === 'string' &&
  text.length <= longestTemplate &&
  namesUsed(text).length <= mostPlaceholders

/** The parameter that a text consists of, if it is a number. */
function numberNamed(text: string, scope: Scope) {
  const one = scope.get(/^\{(\w+)\}$/.exec(text)?.[1] ?? '')
  return one?.type === 'number' ? one : undefined
}
