import type { Configuration, Leaf } from '@longreach/device-protocol/read-configuration'
import type { FormulaHistory } from '@longreach/formula/history'
import type { Missing } from '@longreach/formula/missing'
import type { Formula } from '@longreach/formula/parse'
import type { FormulaWindows } from '@longreach/formula/windows'
import type { Point, SeriesType } from '@longreach/telemetry/store'
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
}

/** Where a variable's value comes from: a path of the device, or a field of a struct. */
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
  /** All of them, inputs before what needs them. */
  ordered: readonly Computed[]
  /** What each path changes, in the order in which it is computed. */
  after: ReadonlyMap<Target, readonly Computed[]>
  /** The newest value of each input, also one that is not durable yet. */
  newest: Map<Target, Point>
  /** Those with windows, and what follows from them, in the order in which they are computed. */
  windowed: readonly Computed[]
  /** What each of those with windows is made from, also by way of others. */
  windowRoots: ReadonlyMap<Computed, ReadonlySet<Target>>
  /** All of these together. */
  windowInputs: ReadonlySet<Target>
  /** What those with windows have still to compute from before this process is known. */
  caughtUp: boolean
  /** The newest values of before this process are known. */
  loaded: boolean
  loading?: Promise<void>
}

/** What the model says of a path. */
type Words = { label: string; unit: string; description: string }

/** The least and the greatest value that a path takes; absent: the model sets none. */
export type Limits = { min?: number | undefined; max?: number | undefined }

export type ValueListener = (target: Target, point: Point) => void

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
  /** What the platform computes; absent without formulas. */
  formulas: DeviceFormulas | undefined
  /** The formulas as mappings told them. */
  formulasText: string
  listeners: Set<ValueListener>
  console: DeviceConsole | undefined
  received: { messages: number; bytes: number; refused: number }
}

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

/** What the model says of a path, with the label of the part that it is in. */
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
