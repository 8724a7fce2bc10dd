type Node = {
  type: string
  properties?: Record<string, Node>
  item?: Node
  length?: number
  sendPolicy?: { triggers?: unknown[]; instanceOf?: string }
  datalink?: { source?: unknown }
  mapping?: { device_endpoint?: string; server_endpoint?: string }
}
export type Configuration = {
  type: string
  properties: Record<
    string,
    {
      interfaces?: { interface_name: string; version_major: number; version_minor: number }[]
      policies?: Record<string, { type: string }>
      properties: Record<string, Node>
    }
  >
}
/** A value that the device sends (`out`) and takes (`in`), as topics below its own; `field` of a struct, which is sent with its changes alone. */
export type Leaf = { source: string; type: string; out?: string; in?: string; field?: string }

/** Error that ends a device's process, so a test must not see it. */
export class Dead extends Error {
  override name = 'Dead'
}

/** The rules by which the library reads a configuration; what breaks one ends its process. */
export function leavesOf(configuration: Configuration): Leaf[] {
  if (configuration.type !== 'datamodel') throw new Dead('not a datamodel')
  const [model] = Object.values(configuration.properties ?? {})
  if (!model) throw new Dead('no properties')
  if (!Array.isArray(model.interfaces)) throw new Dead('no interfaces')
  const { policies = {} } = model
  return Object.values(model.properties).flatMap((node) => leavesIn(node, policies, []))
}

type Policies = Record<string, { type: string }>

function leavesIn(node: Node, policies: Policies, indexes: readonly number[]): Leaf[] {
  const policy = node.sendPolicy?.instanceOf
  if (policy !== undefined && policies[policy] === undefined) throw new Dead(`no policy ${policy}`)
  const { item, length = 0 } = node
  if (node.type === 'array' && item) {
    return Array.from({ length }, (_, n) => leavesIn(item, policies, [...indexes, n])).flat()
  }
  const fields = Object.values(node.properties ?? {})
  if (node.type === 'struct' && fields.some((field) => field.sendPolicy)) {
    throw new Dead('a field with a send policy')
  }
  const own = leafOf(node, indexes)
  if (own[0] && node.type === 'struct') return [...own, ...writableFields(node, own[0], indexes)]
  return [...own, ...fields.flatMap((one) => leavesIn(one, policies, indexes))]
}

const fill = (text: string, indexes: readonly number[]) =>
  text.replaceAll(/\$\{(\d)\}/g, (_, n: string) => String(indexes[Number(n)]))

/** The device listens for a field where the field says where, and reports it as a part of its struct. */
const writableFields = ({ properties = {} }: Node, struct: Leaf, indexes: readonly number[]) =>
  Object.entries(properties).flatMap(([field, { type, mapping }]): Leaf[] => {
    const into = mapping?.server_endpoint
    if (into === undefined) return []
    const { out } = struct
    const source = `${struct.source}.${field}`
    return [{ source, type, in: fill(into, indexes), field, ...(out !== undefined && { out }) }]
  })

function leafOf({ type, datalink, mapping }: Node, indexes: readonly number[]): Leaf[] {
  if (datalink?.source === undefined) return []
  if (typeof datalink.source !== 'string') throw new Dead('a datalink that is no tag')
  const filled = (text: string) => fill(text, indexes)
  const { device_endpoint: out, server_endpoint: into } = mapping ?? {}
  return [
    {
      source: filled(datalink.source),
      type,
      ...(out !== undefined && { out: filled(out) }),
      ...(into !== undefined && { in: filled(into) }),
    },
  ]
}
