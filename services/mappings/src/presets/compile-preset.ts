import type { Interface } from '@longreach/device-protocol/configuration'
import { interfacePrefix } from '@longreach/device-protocol/wire-names'
import { stableId } from '../ids.ts'
import { isTree, readInstanceOf } from '../tree-rules.ts'
import { linkedFields, linkOf } from './preset-rules.ts'

type Tree = Record<string, unknown>
type Mapping = Interface['mappings'][number]

/** A judged preset, with the UUID of its instance. */
export type Compilable = { id: string; uuid: string; json: Tree }

type Place = {
  /** Below the instance, without array brackets: `zones/temperature`. */
  prop: string
  /** The index part of an endpoint: 0, or the place in arrays as `${0}` or `${0}_${1}`. */
  index: string
  depth: number
}

type Compiling = {
  uuid: string
  policies: Map<string, string>
  /** Single values of the device, and those that may be written. */
  fromDevice: Mapping[]
  toDevice: Mapping[]
  structs: { from: string; to: string | undefined; mappings: Mapping[] }[]
  names: { from: string; to: string; struct: (prop: string) => string }
}

/** Characters of a content that goes as it is into each of the names made from it. */
const longestInNames = 20_000

/**
 * The text of the DeviceConfiguration that devices get. The same preset always compiles to the same
 * bytes: devices compare it as text and reconnect when one differs. Undefined when nothing is linked,
 * since a device dies of a configuration without properties.
 */
export function compilePreset({ id, uuid, json }: Compilable): string | undefined {
  const instance = readInstanceOf(json['instanceOf'])
  if (!instance) return undefined
  // Another content is another interface: versions of one could be mixed up. Formulas are none of it.
  const text = JSON.stringify(json, withoutFormula)
  // A name for each struct: of long content all of them together would take seconds.
  const content = text.length > longestInNames ? stableId(text) : text
  const name = (part: string) => `${interfacePrefix}${stableId(`${id} ${uuid} ${part} ${content}`)}`
  const compiling: Compiling = {
    uuid,
    policies: new Map(),
    fromDevice: [],
    toDevice: [],
    structs: [],
    names: { from: name('from'), to: name('to'), struct: (prop) => name(`struct ${prop}`) },
  }
  const properties = compileProperties(json, { prop: '', index: '0', depth: 0 }, compiling)
  if (!properties) return undefined
  const data = {
    UUID: uuid,
    instanceOf: `${instance.name}:${instance.version}`,
    type: 'object',
    policies: Object.fromEntries(
      [...compiling.policies].map(([text, label]) => [
        label,
        { type: 'send', ...(JSON.parse(text) as Tree) },
      ]),
    ),
    interfaces: interfacesOf(compiling),
    properties,
  }
  return JSON.stringify({ type: 'datamodel', properties: { [instance.name]: data } })
}

/** Replacer for JSON.stringify that leaves formulas out: the platform computes them, so a changed one must not make a device reconnect. */
const withoutFormula = (key: string, value: unknown) =>
  key === 'datalink' && isTree(value) && value['type'] === 'formula' ? undefined : value

/** The linked children of a node; undefined when there are none. */
function compileProperties(node: Tree, place: Place, compiling: Compiling): Tree | undefined {
  const { properties } = node
  const entries: [string, Tree][] = []
  for (const [name, child] of Object.entries(isTree(properties) ? properties : {})) {
    const prop = place.prop === '' ? name : `${place.prop}/${name}`
    const compiled = isTree(child) && compileNode(child, { ...place, prop }, compiling)
    if (compiled) entries.push([name, compiled])
  }
  return entries.length === 0 ? undefined : Object.fromEntries(entries)
}

function compileNode(node: Tree, place: Place, compiling: Compiling): Tree | undefined {
  switch (node['type']) {
    case 'object': {
      const properties = compileProperties(node, place, compiling)
      return properties && { type: 'object', ...pick(node, 'instanceOf', 'version'), properties }
    }
    case 'array': {
      const bracket = `\${${place.depth}}`
      const index = place.depth === 0 ? bracket : `${place.index}_${bracket}`
      const inside = { ...place, index, depth: place.depth + 1 }
      const item = isTree(node['item']) && compileNode(node['item'], inside, compiling)
      return item ? { type: 'array', ...pick(node, 'version', 'length'), item } : undefined
    }
    case 'struct':
      return compileStruct(node, place, compiling)
    default:
      return compileLeaf(node, place, compiling)
  }
}

function compileLeaf(node: Tree, { prop, index }: Place, compiling: Compiling): Tree | undefined {
  if (linkOf(node) === undefined) return undefined
  const { names, uuid, fromDevice, toDevice } = compiling
  const mapping: Mapping = { endpoint: `/%{uuid}/%{index}/${prop}`, type: String(node['type']) }
  const writable = node['mode'] === 'RW'
  fromDevice.push({ ...mapping, explicit_timestamp: true })
  if (writable) toDevice.push(mapping)
  return {
    ...pick(node, 'type', 'mode', 'version', 'historyPolicy'),
    ...policyOf(node, compiling),
    ...pick(node, 'datalink'),
    mapping: {
      device_endpoint: `/${names.from}/${uuid}/${index}/${prop}`,
      ...(writable && { server_endpoint: `/${names.to}/${uuid}/${index}/${prop}` }),
    },
  }
}

/** A struct travels as one document, so that it has an interface of its own. */
function compileStruct(node: Tree, { prop, index }: Place, compiling: Compiling): Tree | undefined {
  if (linkOf(node) === undefined && linkedFields(node).length === 0) return undefined
  const { names, uuid, structs } = compiling
  const fields = Object.entries(isTree(node['properties']) ? node['properties'] : {}).filter(
    (entry): entry is [string, Tree] => isTree(entry[1]),
  )
  const from = names.struct(prop)
  const to = node['mode'] === 'RW' ? names.struct(`${prop} to`) : undefined
  const mappings = fields.map(([field, { type }]) => ({
    endpoint: `/%{uuid}/%{index}/${field}`,
    type: String(type),
  }))
  structs.push({ from, to, mappings })
  return {
    ...pick(node, 'type', 'instanceOf', 'mode', 'version', 'historyPolicy'),
    ...policyOf(node, compiling),
    ...pick(node, 'datalink'),
    mapping: {
      device_endpoint: `/${from}/${uuid}/${index}`,
      ...(to !== undefined && { server_endpoint: `/${to}/${uuid}/${index}` }),
    },
    properties: Object.fromEntries(
      fields.map(([field, one]) => [
        field,
        {
          ...pick(one, 'type', 'version', 'datalink'),
          // A device listens for one field where the field says where.
          ...(to !== undefined &&
            one['mode'] === 'RW' && {
              mapping: { server_endpoint: `/${to}/${uuid}/${index}/${field}` },
            }),
        },
      ]),
    ),
  }
}

/** Equal policies are written once, as `_0`, `_1` … in the order in which they are met. */
function policyOf({ sendPolicy }: Tree, { policies }: Compiling): Tree {
  if (!isTree(sendPolicy)) return {}
  const text = JSON.stringify(pick(sendPolicy, 'triggers', 'conditions'))
  const label = policies.get(text) ?? `_${policies.size}`
  policies.set(text, label)
  return { sendPolicy: { instanceOf: label } }
}

function interfacesOf({ names, fromDevice, toDevice, structs }: Compiling): Interface[] {
  const one = (
    interface_name: string,
    ownership: Interface['ownership'],
    aggregation: Interface['aggregation'],
    mappings: Mapping[],
  ): Interface => ({
    interface_name,
    version_major: 1,
    version_minor: 0,
    type: 'datastream',
    ownership,
    aggregation,
    mappings,
  })
  return [
    ...(fromDevice.length > 0 ? [one(names.from, 'device', 'individual', fromDevice)] : []),
    ...(toDevice.length > 0 ? [one(names.to, 'server', 'individual', toDevice)] : []),
    ...structs.flatMap(({ from, to, mappings }) => [
      one(
        from,
        'device',
        'object',
        mappings.map((mapping) => ({ ...mapping, explicit_timestamp: true })),
      ),
      ...(to === undefined ? [] : [one(to, 'server', 'object', mappings)]),
    ]),
  ]
}

/** These keys of a node, those that it has, in this order. */
const pick = (node: Tree, ...keys: string[]): Tree =>
  Object.fromEntries(
    keys
      .filter((key) => node[key] !== undefined && node[key] !== null)
      .map((key) => [key, node[key]]),
  )
