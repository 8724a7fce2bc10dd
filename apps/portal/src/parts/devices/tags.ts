/** Description of a value of a device, known before a value arrives. */
export type Tag = {
  /** Model path: `Oven:1/zone1/temperature`. */
  path: string
  /** Last part of the path, or the model's label. */
  name: string
  type: string
  /** The device takes writes. */
  writable: boolean
  /** Older values are kept, not only the last. */
  history: boolean
  unit?: string
  description?: string
  /** The model's label of the part that it is in. */
  group?: string
  /** The device's own name of it. */
  source?: string
  /** At this interval a value is expected even when it does not change. */
  everyMs?: number
  /** Limits for writing. */
  min?: number
  max?: number
}

type Node = {
  type?: unknown
  mode?: unknown
  label?: unknown
  unit?: unknown
  description?: unknown
  instanceOf?: unknown
  min?: unknown
  max?: unknown
  historyPolicy?: { enabled?: unknown } | null
  sendPolicy?: { instanceOf?: unknown; triggers?: unknown } | null
  datalink?: { source?: unknown } | null
  properties?: Record<string, Node>
  policies?: Record<string, { triggers?: unknown }>
  length?: unknown
  item?: Node
}

/**
 * The tags of a device configuration, or of the tree of a preset or model, in its order.
 * What is malformed is left out: a list of tags is for reading, the server has checked it.
 */
export function tagsOf(configuration: unknown): Tag[] {
  const root = configuration as Node | null | undefined
  const data = root?.type === 'datamodel' ? Object.values(root.properties ?? {})[0] : root
  if (typeof data?.instanceOf !== 'string') return []
  return below(data, data.instanceOf.split('.')[0] ?? '', data.policies ?? {})
}

function below(node: Node, path: string, policies: NonNullable<Node['policies']>): Tag[] {
  if (node.item && typeof node.length === 'number') {
    const { item } = node
    return Array.from({ length: Math.min(node.length, 1000) }, (_, index) =>
      below(item, `${path}[${index}]`, policies),
    ).flat()
  }
  if (node.properties && node.type !== 'struct')
    return Object.entries(node.properties).flatMap(([name, child]) =>
      below(child, `${path}/${name}`, policies),
    )
  return typeof node.type === 'string' ? [leaf(node, path, policies)] : []
}

function leaf(node: Node, path: string, policies: NonNullable<Node['policies']>): Tag {
  const { sendPolicy } = node
  const triggers =
    sendPolicy?.triggers ?? policies[textOrNothing(sendPolicy?.instanceOf) ?? '']?.triggers ?? []
  const every = intervalOf(triggers)
  return {
    path,
    name: textOrNothing(node.label) ?? shortPath(path),
    type: String(node.type),
    writable: node.mode === 'RW',
    history: node.historyPolicy?.enabled !== false,
    ...given('unit', textOrNothing(node.unit)),
    ...given('description', textOrNothing(node.description)),
    ...given('source', textOrNothing(node.datalink?.source)),
    ...given('everyMs', every),
    ...given('min', numberOf(node.min)),
    ...given('max', numberOf(node.max)),
  }
}

const textOrNothing = (value: unknown) =>
  typeof value === 'string' && value !== '' ? value : undefined
const numberOf = (value: unknown) => (typeof value === 'number' ? value : undefined)
const given = <K extends string, V>(key: K, value: V | undefined) =>
  (value === undefined ? {} : { [key]: value }) as Partial<Record<K, V>>

function intervalOf(triggers: unknown) {
  if (!Array.isArray(triggers)) return undefined
  const timers = (triggers as { type?: unknown; intervalMs?: unknown }[]) // fields are checked below
    .filter(({ type }) => type === 'timer')
    .map(({ intervalMs }) => (typeof intervalMs === 'number' && intervalMs > 0 ? intervalMs : 1000))
  return timers.length > 0 ? Math.min(...timers) : undefined
}

/** A path without its model: `zone1/temperature`. */
export const shortPath = (path: string) => path.split('/').slice(1).join('/')

type Called = {
  modelPath: string
  pathLabel?: string | undefined
  group?: string | undefined
}

/** The name of a value outside of its device's list: the model's words, and the path where there are none. */
export const pathName = ({ modelPath, pathLabel, group }: Called) =>
  pathLabel === undefined
    ? shortPath(modelPath)
    : [group, pathLabel].filter((part) => part !== undefined).join(' · ')

type Listed = {
  modelPath: string
  type: string
  mode: 'R' | 'RW'
  unit?: string | undefined
  label?: string | undefined
  description?: string | undefined
  group?: string | undefined
  min?: number | undefined
  max?: number | undefined
}

/** The tags of a device: those that the server lists, with what its configuration adds, then the others of the configuration. */
export function knownTags(listed: readonly Listed[], configuration: unknown): Tag[] {
  const configured = new Map(tagsOf(configuration).map((tag) => [tag.path, tag]))
  const tags = listed.map(({ modelPath: path, type, mode, ...words }): Tag => {
    const plain = { path, name: shortPath(path), type, writable: mode === 'RW', history: true }
    return {
      ...(configured.get(path) ?? plain),
      ...given('name', textOrNothing(words.label)),
      ...given('unit', textOrNothing(words.unit)),
      ...given('description', textOrNothing(words.description)),
      ...given('group', textOrNothing(words.group)),
      ...given('min', words.min),
      ...given('max', words.max),
    }
  })
  const paths = new Set(tags.map(({ path }) => path))
  const others = [...configured.values()].filter(({ path }) => !paths.has(path))
  return toldApart([...tags, ...others])
}

/** Labels that several tags share get the label of the part above them, or its name: `Zone 1 · Temperature`. */
function toldApart(tags: readonly Tag[]): Tag[] {
  const alike = Map.groupBy(tags, ({ name }) => name)
  return tags.map((tag) => {
    const above = tag.group ?? shortPath(tag.path).split('/').slice(0, -1).join('/')
    const shared = (alike.get(tag.name)?.length ?? 0) > 1
    return shared && above !== '' ? { ...tag, name: `${above} · ${tag.name}` } : tag
  })
}

/** Tags known from the configuration, and those that only arrived, by path. */
export function withArrived(
  tags: readonly Tag[],
  arrived: ReadonlyMap<string, { value: unknown }>,
) {
  const known = new Set(tags.map(({ path }) => path))
  const others = [...arrived]
    .filter(([path]) => !known.has(path))
    .map(([path, { value }]): Tag => {
      const name = shortPath(path)
      return { path, name, type: typeOf(value), writable: false, history: true }
    })
  return others.length === 0 ? tags : [...tags, ...others]
}

const typeOf = (value: unknown) => {
  if (typeof value === 'number') return 'double'
  if (typeof value === 'object') return 'struct'
  return typeof value
}

/** True for values whose course can be shown: numbers as lines, switches and texts as states. */
export const isTraceable = (tag: Pick<Tag, 'type'>) => isDrawable(tag) || tag.type === 'string'

/** True for values that a chart can draw. */
export const isDrawable = ({ type }: Pick<Tag, 'type'>) =>
  ['integer', 'double', 'boolean'].includes(type)

/** State of a live value; without a value it is `none`, never a zero that was not measured (rule 21). */
export type ValueState = 'good' | 'uncertain' | 'bad' | 'stale' | 'none'

type Known = { value: unknown; at: number; quality: unknown }

/**
 * State of a value at `now`. A value is stale when its device is away, or when one was expected at
 * an interval and three intervals (at least 15 s) have passed.
 */
export function valueState(
  known: Known | undefined,
  {
    now,
    everyMs,
    connected,
  }: { now: number; everyMs?: number | undefined; connected?: boolean | undefined },
): ValueState {
  if (!known || known.value === null || known.value === undefined) return 'none'
  const severity = typeof known.quality === 'number' ? severityOf(known.quality) : 0
  if (severity >= 2 || known.quality === 'bad') return 'bad'
  if (connected === false) return 'stale'
  if (everyMs !== undefined && now - known.at > Math.max(15_000, everyMs * 3)) return 'stale'
  return severity === 1 || known.quality === 'uncertain' ? 'uncertain' : 'good'
}

/** 0 good, 1 uncertain, 2 and 3 bad: as the store says it, or the highest bits of an OPC UA status. */
const severityOf = (quality: number) => (quality <= 3 ? quality : quality >>> 30)

/**
 * The tags that a chart starts with: at most three numbers of one unit, as they share an axis;
 * without units, those that end in the same name.
 */
export function firstChosen(tags: readonly Tag[]): string[] {
  const numbers = tags.filter((tag) => isDrawable(tag) && tag.type !== 'boolean')
  const groups = Map.groupBy(numbers, ({ unit, path }) => unit ?? `/${path.split('/').at(-1)}`)
  const [largest] = [...groups.values()].toSorted((a, b) => b.length - a.length)
  return (largest ?? []).slice(0, 3).map(({ path }) => path)
}

const mostKeyTags = 4

/** The values that stand for a device at a glance: measured numbers with a unit, in the model's order. */
export function keyTags<T extends Tag>(tags: readonly T[]): T[] {
  const measured = tags.filter(
    (tag) => isDrawable(tag) && tag.type !== 'boolean' && tag.unit !== undefined && !tag.writable,
  )
  return measured.slice(0, mostKeyTags)
}
