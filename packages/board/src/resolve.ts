import { type Binding, partsOfBinding, type SimpleBinding, type TagBinding } from './binding.ts'
import { type Board, childrenOf } from './board.ts'
import type { Id } from './id.ts'
import { fieldOf } from './json.ts'
import type { Node } from './node.ts'

/** Device in a slot, with its model as far as it is known. */
type SlotDevice = { device: string; model?: { name: string; major: number } }

/** Devices of each slot; a slot that takes one device has at most one. */
type FilledSlots = Readonly<Record<string, readonly SlotDevice[]>>

/** Value that a page reads. `path` is that of the wire: `Oven:2/zone1/temperature`. */
type Source =
  | { kind: 'tag'; device: string; path: string; figure?: string; over?: string; ago?: string }
  | { kind: 'device'; device: string; field: string }
  | { kind: 'prop'; instance: string; prop: string }
  | { kind: 'variable'; name: string }
  | { kind: 'system'; field: string }
  /** Slot without a device. */
  | { kind: 'empty'; slot: string }

/** Bound property of a drawn node: the keys of its sources, by the names of its formula's inputs. */
type ResolvedProp = {
  instance: string
  node: Id
  prop: string
  formula?: string
  inputs: Readonly<Record<string, string>>
}

export type Resolved = { sources: Map<string, Source>; props: ResolvedProp[] }

/** Name of a bound value that is no input of a formula. */
const onlyInput = 'value'

/** Node as it is drawn: in a repeater once for each device, with its own slots. */
type Drawn = { node: Node; instance: string; slots: FilledSlots }

/**
 * Values that the nodes of a page read, each once, and which property is made of which. What a node needs is
 * kept by the node itself while its slots stay, since nodes are replaced and never changed.
 */
export function resolve(board: Board, page: Id, slots: FilledSlots): Resolved {
  const resolved: Resolved = { sources: new Map(), props: [] }
  const open: Drawn[] = childrenOf(board, page).map((node) => ({ node, instance: node.id, slots }))
  for (let drawn = open.pop(); drawn; drawn = open.pop()) {
    const needs = needsOf(drawn)
    for (const [key, source] of needs.sources) resolved.sources.set(key, source)
    resolved.props.push(...needs.props)
    open.push(...drawnBelow(board, drawn))
  }
  return resolved
}

function drawnBelow(board: Board, { node, instance, slots }: Drawn): Drawn[] {
  const children = childrenOf(board, node.id)
  const slot = repeatedSlot(node)
  const suffix = instance.slice(node.id.length)
  if (slot === undefined) {
    return children.map((child) => ({ node: child, instance: child.id + suffix, slots }))
  }
  return (slots[slot] ?? []).flatMap((device) =>
    children.map((child) => ({
      node: child,
      instance: `${child.id}${suffix}:${device.device}`,
      slots: { ...slots, [slot]: [device] },
    })),
  )
}

/** Slot whose devices a repeater draws its children for. */
function repeatedSlot({ kind, type, props }: Node): string | undefined {
  if (kind !== 'group' || type !== 'repeater') return undefined
  const slot = fieldOf(props, 'slot')
  return typeof slot === 'string' && (fieldOf(props, 'over') ?? 'slot') === 'slot'
    ? slot
    : undefined
}

const kept = new WeakMap<Node, { key: string; needs: Resolved }>()

function needsOf({ node, instance, slots }: Drawn): Resolved {
  const used = slotsOf(node)
  const filled = used.map((slot) => [slot, slots[slot]?.[0]])
  const key = `${instance} ${JSON.stringify(filled)}`
  const known = kept.get(node)
  if (known?.key === key) return known.needs
  const needs: Resolved = { sources: new Map(), props: [] }
  for (const [prop, binding] of Object.entries(node.bind)) {
    const suffix = instance.slice(node.id.length)
    const inputs = inputsOf(binding).map(([name, part]) => {
      const source = sourceOf(part, slots, suffix)
      const sourceKey = keyOfSource(source)
      needs.sources.set(sourceKey, source)
      return [name, sourceKey] as const
    })
    needs.props.push({
      instance,
      node: node.id,
      prop,
      inputs: Object.fromEntries(inputs),
      ...('formula' in binding && { formula: binding.formula.text }),
    })
  }
  kept.set(node, { key, needs })
  return needs
}

const inputsOf = (binding: Binding): [string, SimpleBinding][] =>
  'formula' in binding ? Object.entries(binding.formula.in) : [[onlyInput, binding]]

/** Slots that the bindings of a node name. */
function slotsOf({ bind }: Node): string[] {
  const parts = Object.values(bind).flatMap(partsOfBinding)
  const slots = parts.flatMap((part) =>
    'tag' in part ? [part.tag.slot] : 'device' in part ? [part.device.slot] : [],
  )
  return [...new Set(slots)].toSorted()
}

function sourceOf(part: SimpleBinding, slots: FilledSlots, suffix: string): Source {
  if ('tag' in part) return tagSource(part.tag, slots[part.tag.slot]?.[0])
  if ('device' in part) {
    const { slot, field } = part.device
    const found = slots[slot]?.[0]
    return found ? { kind: 'device', device: found.device, field } : { kind: 'empty', slot }
  }
  if ('node' in part) {
    return { kind: 'prop', instance: part.node.node + suffix, prop: part.node.prop }
  }
  if ('var' in part) return { kind: 'variable', name: part.var.name }
  return { kind: 'system', field: part.system.field }
}

function tagSource(tag: TagBinding['tag'], found: SlotDevice | undefined): Source {
  if (!found) return { kind: 'empty', slot: tag.slot }
  const { figure, over, ago } = tag
  return {
    kind: 'tag',
    device: found.device,
    path: wirePath(tag.path, found.model),
    ...(figure !== undefined && { figure }),
    ...(over !== undefined && { over }),
    ...(ago !== undefined && { ago }),
  }
}

/** Path of a value on the wire: below the device's own major of its model, so newer majors fit. */
const wirePath = (path: string, model: SlotDevice['model']) =>
  model ? `${model.name}:${model.major}/${path}` : path

/** Key of a source: equal sources have equal keys. */
export function keyOfSource(source: Source): string {
  switch (source.kind) {
    case 'tag': {
      const { device, path, figure, over, ago } = source
      const history = [figure, over, ago].some((part) => part !== undefined)
      return `tag ${device} ${path}${history ? ` ${figure ?? ''} ${over ?? ''} ${ago ?? ''}` : ''}`
    }
    case 'device':
      return `device ${source.device} ${source.field}`
    case 'prop':
      return `prop ${source.instance} ${source.prop}`
    case 'variable':
      return `variable ${source.name}`
    case 'system':
      return `system ${source.field}`
    case 'empty':
      return `empty ${source.slot}`
  }
}
