/** A tag as the device itself announces it; it takes writes only where it says so. */
export type Announced = { name: string; type: string; writable?: unknown }

type Leaf = {
  type: string
  version: string
  mode: 'R' | 'RW'
  historyPolicy: { enabled: boolean }
  sendPolicy: { triggers: object[] }
  datalink: { source: string }
}
type ModelNode = { type: string; properties?: Record<string, ModelNode>; instanceOf?: string }
type PresetNode =
  | Leaf
  | { type: 'object'; instanceOf: string; version: string; properties: Record<string, PresetNode> }

const types = [
  'integer',
  'double',
  'boolean',
  'string',
  'integerarray',
  'doublearray',
  'booleanarray',
]

/** A name as models allow it: letters, digits and `_`, not starting with a digit. */
export function modelName(text: string) {
  const name = text
    .normalize('NFKD')
    .replace(/[^a-zA-Z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  return /^[a-zA-Z]/.test(name) ? name : `M${name}`
}

/**
 * A flat model and its preset from what a device announces: a property for each tag, linked to it,
 * sent on change at most once a second, with history. Types that no model has are left out.
 */
export function modelAndPreset(
  label: string,
  announced: readonly Announced[],
  { uuid, version = firstVersion }: { uuid: string; version?: string },
) {
  const name = modelName(label)
  const instanceOf = `${name}:${version}`
  const properties: Record<string, ModelNode> = {}
  const leaves: Record<string, PresetNode> = {}
  for (const { name: source, type, writable } of announced) {
    if (!types.includes(type)) continue
    const property = freeName(propertyName(source), properties)
    properties[property] = { type }
    leaves[property] = {
      type,
      version,
      mode: writable === true ? 'RW' : 'R',
      historyPolicy: { enabled: true },
      sendPolicy: {
        triggers: [
          { type: 'onchange', changeMask: 'value', minIntervalMs: 1000, skipFirstNChanges: 0 },
        ],
      },
      datalink: { source },
    }
  }
  const words = { label: '', unit: '', description: '', tags: [] }
  return {
    count: Object.keys(leaves).length,
    model: {
      name: instanceOf,
      data: { type: 'object', instanceOf, UUID: null, properties, ...words },
    },
    preset: {
      name: version === firstVersion ? name : `${name} ${version}`,
      data: { type: 'object', instanceOf, UUID: uuid, properties: leaves, ...words },
    },
  }
}

export const firstVersion = '1.0.0'

/** The version after one, with room for other properties: 1.2.0 after 1.1.3. */
export function nextVersion(version: string) {
  const [major = 1, minor = 0] = version.split('.').map(Number)
  return `${major}.${minor + 1}.0`
}

/** True for two trees whose properties read the same: names, types, modes and tags behind them. */
export function sameProperties(one: unknown, other: unknown) {
  const [left, right] = [propertiesOf(one), propertiesOf(other)]
  return left.length === right.length && left.every((text, index) => text === right[index])
}

function propertiesOf(tree: unknown) {
  const { properties = {} } = (tree ?? {}) as { properties?: Record<string, Partial<Leaf>> } // of the server
  return Object.entries(properties)
    .map(([name, { type, mode, datalink }]) =>
      JSON.stringify([name, type, mode ?? null, datalink?.source ?? null]),
    )
    .toSorted()
}

const propertyName = (source: string) => {
  const parts = source.split(/[/.]/).map((part) => part.replace(/[^a-zA-Z0-9_]/g, '_'))
  const text = parts.filter((part) => part !== '').join('_')
  return /^[a-zA-Z_]/.test(text) ? text : `_${text}`
}

function freeName(wanted: string, taken: Record<string, unknown>) {
  let name = wanted
  for (let number = 2; Object.hasOwn(taken, name); number++) name = `${wanted}_${number}`
  return name
}

/** 16 lower-case letters and digits, as presets carry an id of their instance. */
export const instanceUuid = () =>
  [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => (byte % 36).toString(36)).join('')
