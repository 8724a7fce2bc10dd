import {
  type ConfigurationData,
  type ConfigurationNode,
  DeviceConfiguration,
  type SendPolicy,
} from './configuration.ts'
import type { FieldTypes } from './coerce.ts'
import { isControlEndpoint } from './topics.ts'
import { type Datatype, isDatatype, type LeafType } from './value.ts'

/** Value of a configuration that a device sends or that can be written. */
export type Leaf = {
  /** Model path: `Oven:1/zone/temperature`; with arrays `Oven:1/zones[3]/temperature`. */
  path: string
  type: LeafType
  mode: 'R' | 'RW'
  /** False: only the last value is kept. */
  history: boolean
  /** Retention as the preset states it: `90d` or `P90D`. */
  historyLimit?: string
  /** Tag of the device; absent for a formula, or when the fields of a struct have tags. */
  source?: string
  /** Send policy; absent: the device never sends the value. */
  sendPolicy?: SendPolicy
  deviceEndpoint?: string
  /** Endpoint for writing; absent: read-only. */
  serverEndpoint?: string
  /** Types of a struct's fields. */
  fields?: FieldTypes
  /** Tags by field, when a struct's fields have their own. */
  fieldSources?: Readonly<Record<string, string>>
}

export type Configuration = {
  /** Model name and major version, `Oven:1`: the first segment of every path. */
  model: string
  instanceOf: string
  interfaces: ConfigurationData['interfaces']
  leaves: Leaf[]
  byDeviceEndpoint: ReadonlyMap<string, Leaf>
  /**
   * Leaves by endpoint, with single fields of a writable struct as `<endpoint of the
   * struct>/<field>`.
   */
  byServerEndpoint: ReadonlyMap<string, Leaf>
}

/** Largest number of leaves; no real machine has as many. */
const mostLeaves = 100_000

type Reading = { policies: ConfigurationData['policies']; leaves: Leaf[] }
type Place = { path: string; indexes: readonly number[] }

/**
 * Reads the leaves of a DeviceConfiguration. Throws an `Error` with the place and the fault,
 * because a faulty configuration must not be applied in part.
 */
export function readConfiguration(text: string): Configuration {
  const parsed = DeviceConfiguration.safeParse(JSON.parse(text))
  if (parsed.error) {
    const issue = parsed.error.issues[0]
    throw new Error(`configuration: ${issue?.path.join('.')}: ${issue?.message}`)
  }
  const data = Object.values(parsed.data.properties)[0]
  if (!data) throw new Error('configuration: no properties')
  const model = data.instanceOf.split('.')[0] ?? ''
  const reading: Reading = { policies: data.policies, leaves: [] }
  readProperties(data.properties, { path: model, indexes: [] }, reading)
  return {
    model,
    instanceOf: data.instanceOf,
    interfaces: data.interfaces,
    leaves: reading.leaves,
    byDeviceEndpoint: byEndpoint(reading.leaves, 'deviceEndpoint'),
    byServerEndpoint: byEndpoint(
      reading.leaves.flatMap((leaf) => [leaf, ...writableFields(leaf)]),
      'serverEndpoint',
    ),
  }
}

function byEndpoint(leaves: readonly Leaf[], key: 'deviceEndpoint' | 'serverEndpoint') {
  const found = new Map<string, Leaf>()
  for (const leaf of leaves) {
    const endpoint = leaf[key]
    if (endpoint === undefined) continue
    // A value written to a control endpoint would be a command to the device, and an unexpected one
    // can stop it.
    if (isControlEndpoint(endpoint)) {
      throw new Error(`configuration: ${leaf.path}: ${endpoint} is no endpoint for values`)
    }
    found.set(endpoint, leaf)
  }
  return found
}

/** Leaf for each writable field of a struct. */
function writableFields(struct: Leaf): Leaf[] {
  const { serverEndpoint, fields, fieldSources, path, history } = struct
  if (serverEndpoint === undefined || !fields) return []
  return Object.entries(fields).map(([name, type]) => {
    const source = fieldSources?.[name]
    return {
      path: `${path}/${name}`,
      type,
      mode: 'RW',
      history,
      serverEndpoint: `${serverEndpoint}/${name}`,
      ...(source !== undefined && { source }),
    }
  })
}

function readProperties(
  properties: Record<string, ConfigurationNode> | undefined,
  place: Place,
  reading: Reading,
) {
  for (const [name, child] of Object.entries(properties ?? {})) {
    readNode(child, { ...place, path: `${place.path}/${name}` }, reading)
  }
}

function readNode(node: ConfigurationNode, place: Place, reading: Reading) {
  if (reading.leaves.length >= mostLeaves)
    throw new Error(`configuration: over ${mostLeaves} leaves`)
  if (node.type === 'object') return readProperties(node.properties, place, reading)
  if (node.type === 'array') return readArray(node, place, reading)
  if (node.type !== 'struct' && !isDatatype(node.type)) {
    throw new Error(`configuration: ${place.path}: unknown type ${node.type}`)
  }
  reading.leaves.push(leafOf(node, node.type, place, reading.policies))
}

function readArray({ length = 0, item }: ConfigurationNode, place: Place, reading: Reading) {
  if (!item) throw new Error(`configuration: ${place.path}: an array needs an item`)
  for (let index = 0; index < length; index++) {
    const indexes = [...place.indexes, index]
    readNode(item, { path: `${place.path}[${index}]`, indexes }, reading)
  }
}

function leafOf(
  node: ConfigurationNode,
  type: LeafType,
  { path, indexes }: Place,
  policies: Reading['policies'],
): Leaf {
  const { mode = 'R', mapping, datalink } = node
  const sendPolicy = policyOf(node, path, policies)
  const source = datalink?.source
  return {
    path,
    type,
    mode,
    ...historyOf(node),
    ...(typeof source === 'string' && { source: atIndexes(source, indexes) }),
    ...(sendPolicy && { sendPolicy }),
    ...(mapping?.device_endpoint !== undefined && {
      deviceEndpoint: atIndexes(mapping.device_endpoint, indexes),
    }),
    ...(mapping?.server_endpoint !== undefined && {
      serverEndpoint: atIndexes(mapping.server_endpoint, indexes),
    }),
    ...(type === 'struct' && fieldsOf(node, { path, indexes })),
  }
}

const historyOf = ({ historyPolicy }: ConfigurationNode) => ({
  history: historyPolicy?.enabled !== false,
  ...(historyPolicy?.limit && { historyLimit: historyPolicy.limit }),
})

function fieldsOf({ properties = {} }: ConfigurationNode, { path, indexes }: Place) {
  const fields: [string, Datatype][] = []
  const sources: [string, string][] = []
  for (const [name, { type, sendPolicy, datalink }] of Object.entries(properties)) {
    if (!isDatatype(type)) throw new Error(`configuration: ${path}/${name}: unknown type ${type}`)
    if (sendPolicy) throw new Error(`configuration: ${path}/${name}: a field has no send policy`)
    fields.push([name, type])
    if (typeof datalink?.source === 'string')
      sources.push([name, atIndexes(datalink.source, indexes)])
  }
  return {
    fields: Object.fromEntries(fields),
    ...(sources.length > 0 && { fieldSources: Object.fromEntries(sources) }),
  }
}

function policyOf(
  { sendPolicy }: ConfigurationNode,
  path: string,
  policies: Reading['policies'],
): SendPolicy | undefined {
  if (!sendPolicy) return undefined
  const name = sendPolicy['instanceOf']
  if (typeof name !== 'string' || sendPolicy.triggers) return sendPolicy // an inline policy, not a name
  const named = Object.hasOwn(policies, name) ? policies[name] : undefined
  if (!named) throw new Error(`configuration: ${path}: unknown policy ${name}`)
  return named
}

/**
 * Text with `${0}`, `${1}` … replaced by the indexes of the enclosing arrays, outermost first; a
 * backslash escapes.
 */
const atIndexes = (text: string, indexes: readonly number[]) =>
  text.replace(/\\(.)|\$\{(\d+)\}/g, (whole, escaped?: string, index?: string) =>
    escaped !== undefined ? escaped : String(indexes[Number(index)] ?? whole),
  )
