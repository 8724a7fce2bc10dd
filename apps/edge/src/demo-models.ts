import {
  hostPoints,
  ovenPoints,
  partLabels,
  type Point,
  type Policy,
  pumpStationPoints,
} from './demo-points.ts'

/** Body of a request to mappings, for models and presets. */
export type Body = { name: string; data: Record<string, unknown> }
export type DemoModel = { model: Body; preset: Body }

type Points = readonly Point<unknown>[]
type Leaf = (point: Point<unknown>) => Record<string, unknown>

const version = '1.0.0'

/** Model and preset of the oven line; its tags are called `oven.…`. */
export const ovenModel = (): DemoModel =>
  modelOf('OvenLine', 'Oven line', { machine: 'oven', points: ovenPoints })

/** Model and preset that a machine builder shares with its customers, for any of its ovens. */
export const tunnelOvenModel = (): DemoModel =>
  modelOf('TunnelOven', 'Tunnel oven', { machine: 'oven', points: ovenPoints })

/** Model and preset of the pump station; its tags are called `pumps.…`. */
export const pumpsModel = (): DemoModel =>
  modelOf('PumpStation', 'Pump station', { machine: 'pumps', points: pumpStationPoints })

/** Model and preset of a gateway's own metrics; its tags are called `host.…`. */
export const hostModel = (): DemoModel =>
  modelOf('Gateway', 'Gateway', { machine: 'host', points: hostPoints })

/** Tag name of a demo value: `oven.zone1.temperature`. */
export const tagOf = (machine: string, path: string) => `${machine}.${path.replaceAll('/', '.')}`

function modelOf(
  name: string,
  label: string,
  { machine, points }: { machine: string; points: Points },
): DemoModel {
  const words = ({ label: title, description, unit = '' }: Point<unknown>) => ({
    label: title,
    description,
    unit,
    tags: [],
  })
  const modelLeaf: Leaf = ({ type, min, max, ...point }) => ({
    type,
    version,
    ...words({ type, ...point }),
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
  })
  const presetLeaf: Leaf = (point) => ({
    version,
    type: point.type,
    mode: point.writable ? 'RW' : 'R',
    historyPolicy: { enabled: true },
    sendPolicy: sendPolicyOf(point.policy),
    datalink: { source: tagOf(machine, point.path) },
  })
  const head = { label, description: '', unit: '', tags: [] }
  return {
    model: { name: `${name}:${version}`, data: { ...head, ...treeOf(name, points, modelLeaf) } },
    preset: {
      name: `${label} standard`,
      data: { ...head, ...treeOf(name, points, presetLeaf) },
    },
  }
}

/**
 * Objects for the first segment of a path: `zone1/temperature` is in the object `zone1`, a model of
 * its own.
 */
function treeOf(name: string, points: Points, leaf: Leaf): Record<string, unknown> {
  const groups = Map.groupBy(points, ({ path }) => path.split('/')[0] ?? path)
  const properties = [...groups].map(([first, members]) => {
    const [only] = members
    if (only && only.path === first) return [first, leaf(only)]
    const inside = members.map((point) => ({ ...point, path: point.path.slice(first.length + 1) }))
    // The leaf is made from the whole point, so that its tag keeps the whole path.
    const whole = new Map(inside.map(({ path }, index) => [path, members[index]]))
    const nested = treeOf(`${name}.${first}`, inside, (point) =>
      leaf(whole.get(point.path) ?? point),
    )
    return [
      first,
      { ...nested, label: partLabels[first] ?? first, description: '', unit: '', tags: [] },
    ]
  })
  return {
    type: 'object',
    instanceOf: `${name}:${version}`,
    UUID: null,
    properties: Object.fromEntries(properties),
  }
}

function sendPolicyOf({ deadband, minIntervalMs, everyMs }: Policy) {
  const change = {
    type: 'onchange',
    changeMask: 'value',
    minIntervalMs,
    skipFirstNChanges: 0,
    ...(deadband !== undefined && { deadband }),
  }
  return {
    triggers: [change, ...(everyMs === undefined ? [] : [{ type: 'timer', intervalMs: everyMs }])],
  }
}
