import type { Configuration, Leaf } from '@longreach/device-protocol/read-configuration'
import type { FormulaHistory } from '@longreach/formula/history'
import type { Missing } from '@longreach/formula/missing'
import type { Formula } from '@longreach/formula/parse'
import type { FormulaWindows } from '@longreach/formula/windows'
import type { CompiledRule } from '@longreach/rules/compiled'
import type { DeviceClock } from '@longreach/rules/device-clock'
import type { Given } from '@longreach/rules/input'
import type { LeafPolicy, PolicyPart } from '@longreach/rules/compile-policy'
import type { Rule } from '@longreach/rules/rule'
import type { Instance } from '@longreach/rules/state'
import type { Point, SeriesType, Value } from '@longreach/telemetry/store'
import type { DeviceConsole } from './device-console.ts'

/** One path of a device: where its values come from and where they go. */
export type Target = {
  device: Device
  leaf: Leaf
  /** Absent until the first value. */
  series?: number
  /** Until the series and, for a struct, the last fields are known. */
  ready?: Promise<void>
  /** Of a struct: its newest fields, also those that are not durable yet. */
  fields?: Record<string, unknown>
  /** The newest value that is durable, once this process has seen or read one. */
  last?: Point
  /** Inputs of rules that its values are; absent without any. */
  ruleUses?: readonly RuleUse[] | undefined
  /** Values of it that change nothing for its uses; absent when there are none. */
  steady?: SteadyPath | undefined
}

/** Source of a variable's value: a path of the device, or a field of a struct. */
export type Input = { target: Target; field?: string }

/** A path that the platform computes. */
export type Computed = {
  target: Target
  formula: Formula
  missing: Missing
  /** In the order of the formula's variables. */
  inputs: readonly (Input | undefined)[]
  history: FormulaHistory | undefined
  /** Absent: it is computed whenever one of its inputs has a value. */
  windows: FormulaWindows | undefined
}

/** The computed paths of a device, and what is known of their inputs. */
export type DeviceFormulas = {
  /** All formulas, each after those that it depends on. */
  ordered: readonly Computed[]
  /** Formulas that depend on each path, in the order in which they are computed. */
  after: ReadonlyMap<Target, readonly Computed[]>
  /** The newest value of each input, also one that is not durable yet. */
  newest: Map<Target, Point>
  /** Formulas with windows and those that depend on them, in the order in which they are computed. */
  windowed: readonly Computed[]
  /** Paths that each formula with windows depends on, directly or through other formulas. */
  windowRoots: ReadonlyMap<Computed, ReadonlySet<Target>>
  /** Paths that any formula with windows depends on. */
  windowInputs: ReadonlySet<Target>
  /** Work that formulas with windows left before this process started is known. */
  caughtUp: boolean
  /** The newest values from before this process started are known. */
  loaded: boolean
  loading?: Promise<void>
}

/** Rule as a device is judged by it, with what is different on the device. */
export type DeviceRule = {
  id: string
  version: number
  /** Equal for rules that are equal in all that is judged or said. */
  key: string
  /** All that it is compiled from; of a trigger a part of its policy. */
  rule: Rule | PolicyPart
  zone: string | undefined
  compiled: CompiledRule
  /** Present for a part of the policy of a trigger: its name, and the time at which it was saved. */
  trigger?: { instance: string; since: number; leaves: readonly LeafPolicy[] }
  /** Judged by arrival at the server and not by the device's clock: silence and connection. */
  isByArrival: boolean
}

/** Instance of a rule on a device, with its state. */
export type Judged = {
  of: DeviceRules
  /** Its key in the rules of the device. */
  key: string
  rule: DeviceRule
  instance: string
  /** Source of each input; undefined where the device has no such path. */
  sources: readonly (Input | undefined)[]
  state: Instance
  /** Next timer of the state. */
  readonly due: number | null
  /** There is a row of it. */
  isStored: boolean
  /** Server time of its entry in the list of timers. */
  wakesAt: number | undefined
  /** Values of the present round, each with its time. */
  times: number[]
  values: Given[]
  /** Of a trigger: time of the server at which it was told last that it nearly fired. */
  almostAt?: number
  /** Group that keeps values which change nothing for it; reading the state gives it these. */
  steady: SteadyGroup | undefined
}

/** Input of an instance that the values of a path are, or those of a field of its struct. */
export type RuleUse = { judged: Judged; input: number; field?: string }

/** Instances of a device that share paths, and values of these that change nothing for them. */
export type SteadyGroup = {
  all: readonly Judged[]
  /** Begins to keep such values; false when it did so, or instances have values to be judged. */
  open: () => boolean
  /** Gives the instances the values that are kept. */
  settle: () => void
  /** Has all values judged until it is opened again. */
  close: () => void
}

/** Values of a path that change nothing for instances of a group. */
export type SteadyPath = {
  group: SteadyGroup
  clock: DeviceClock
  /** Uses of the path by other instances, and by any arrival of the device, which get each value. */
  otherUses: readonly RuleUse[]
  /** A timer of an instance is due at some time. */
  isTimed: boolean
  /** Keeps a value of good quality; false for one that has to be judged. */
  take: (t: number, v: Value) => boolean
}

/** Durable value; `at` is the server's time of its arrival, `version` that of its block. */
export type Arrived = { target: Target; point: Point; at: number; version: number }

/** All that a process keeps of the rules of one device. */
export type DeviceRules = {
  device: Device
  clock: DeviceClock
  /** By rule and instance. */
  judged: Map<string, Judged>
  /** Inputs that any value of the device is. */
  anyArrival: RuleUse[]
  connection: RuleUse[]
  /** Inputs that alarms of a rule are, by the rule. */
  alarms: Map<string, RuleUse[]>
  /** Targets that have uses. */
  targets: Target[]
  /** Number of the newest write; undefined until the device is taken. */
  seq: number | undefined
  /** This process no longer judges the device with them. */
  isDropped: boolean
  /** It is loaded or judged again at the moment; values wait. */
  isBusy: boolean
  waiting: Arrived[]
  /** Time of the oldest of the values that were too many to wait; undefined without any. */
  overflowSince: number | undefined
  /** Time from which values are to be judged again from the store; undefined when there are none. */
  againSince: number | undefined
  /** Connections of the device to this process. */
  sessions: number
  /** Time at which it was lost, as it was when its rules were loaded; undefined while it is connected. */
  lostAt: number | undefined
  /** Text of the rules as they were loaded, to see whether they changed. */
  loaded: string | undefined
  /** Time at which a rule that is out of service is judged again. */
  againAt: number | undefined
}

/** Texts of the model for a path. */
type Words = { label: string; unit: string; description: string }

/** Smallest and largest value that a path takes; absent where the model sets none. */
export type Limits = { min?: number | undefined; max?: number | undefined }

export type ValueListener = (target: Target, point: Point) => void

/** Durable values of one block as columns of equal length. */
export type DurableValues = {
  targets: readonly Target[]
  t: readonly number[]
  v: readonly Value[]
  q: readonly number[]
  /** Rows that rules do not judge. */
  quiet?: ReadonlySet<number>
}
/** `version` is that of the block of the values. */
export type DurableListener = (values: DurableValues, version: number) => void

/**
 * A device as this process keeps it. The object lives as long as the process knows the device, so
 * that connections can hold it; a change of its preset replaces what is inside.
 */
export type Device = {
  id: string
  label: string
  realm: string
  org: string
  groups: number[]
  /** Organization that has the model of its preset; undefined without a preset. */
  modelOrganization: string | undefined
  /** Byte for byte what is sent; null without a preset. */
  configurationText: string | null
  configuration: Configuration | undefined
  /** Why the configuration could not be read; then nothing is sent. */
  configurationFault: string | undefined
  /** By model path; of paths in arrays with `[*]` for every index. */
  words: ReadonlyMap<string, Words & Limits>
  /** By full topic. */
  byTopic: Map<string, Target>
  /** By model path. */
  byPath: Map<string, Target>
  /** Paths that the platform computes; absent without formulas. */
  formulas: DeviceFormulas | undefined
  /** The formulas as mappings sends them. */
  formulasText: string
  listeners: Set<ValueListener>
  /** `trust` of the store when the newest values of its targets were last sure. */
  trust?: number | undefined
  console: DeviceConsole | undefined
  received: { messages: number; bytes: number; refused: number }
  /** Rules that judge it, while this process does so. */
  rules?: DeviceRules | undefined
}

/** Device of which nothing but the id is known yet. */
export const newDevice = (id: string): Device => ({
  id,
  label: '',
  realm: '',
  org: '',
  groups: [],
  modelOrganization: undefined,
  configurationText: null,
  configuration: undefined,
  configurationFault: undefined,
  words: new Map(),
  byTopic: new Map(),
  byPath: new Map(),
  formulas: undefined,
  formulasText: '[]',
  listeners: new Set(),
  console: undefined,
  received: { messages: 0, bytes: 0, refused: 0 },
})

/** `<realm>/<logicalId>`: where a device's topics begin, and its certificate's common name. */
export const baseOf = ({ realm, id }: Pick<Device, 'realm' | 'id'>) => `${realm}/${id}`

/** Label, unit and description of a path, those that its model has. */
export function wordsOf({ words }: Pick<Device, 'words'>, path: string): Partial<Words> {
  const { label = '', unit = '', description = '' } = saidOf(words, path) ?? {}
  return {
    ...(label !== '' && { label }),
    ...(unit !== '' && { unit }),
    ...(description !== '' && { description }),
  }
}

const saidOf = (words: Device['words'], path: string) =>
  words.get(path.replaceAll(/\[\d+\]/g, '[*]'))

/** Limits of a path, those that its model has. */
export function limitsOf({ words }: Pick<Device, 'words'>, path: string): Limits {
  const { min, max } = saidOf(words, path) ?? {}
  return { ...(min !== undefined && { min }), ...(max !== undefined && { max }) }
}

/** Texts of the model for a path, with the label of the group that it is in. */
export function wordsInGroup(device: Pick<Device, 'words'>, path: string) {
  const { label: group } = wordsOf(device, path.slice(0, path.lastIndexOf('/')))
  return { ...wordsOf(device, path), ...(group !== undefined && { group }) }
}

/** The kind of series a datatype is stored in; bytes as base64 text. */
export function seriesTypeOf({ type }: Pick<Leaf, 'type'>): SeriesType {
  switch (type) {
    case 'integer':
    case 'double':
    case 'boolean':
    case 'string':
      return type
    case 'binaryblob':
    case 'bytestring':
      return 'string'
    default:
      return 'json'
  }
}
