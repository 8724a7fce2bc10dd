import type { CompiledRule } from '@longreach/rules/compiled'
import type { DeviceClock } from '@longreach/rules/device-clock'
import type { Given } from '@longreach/rules/input'
import type { Rule } from '@longreach/rules/rule'
import type { Instance } from '@longreach/rules/state'
import type { Point } from '@longreach/telemetry/store'
import type { Device, Target } from '../devices/device.ts'
import type { InputSource } from './device-inputs.ts'

/** Rule as a device is judged by it, with what is different on the device. */
export type DeviceRule = {
  id: string
  version: number
  /** Equal for rules that are equal in all that is judged or said. */
  key: string
  rule: Rule
  zone: string | undefined
  compiled: CompiledRule
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
  sources: readonly (InputSource | undefined)[]
  state: Instance
  /** There is a row of it. */
  isStored: boolean
  /** Server time of its entry in the list of timers. */
  wakesAt: number | undefined
  /** Values of the present round, each with its time. */
  times: number[]
  values: Given[]
}

/** Input of an instance that the values of a path are, or those of a field of its struct. */
export type RuleUse = { judged: Judged; input: number; field?: string }

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

export const judgedKey = (ruleId: string, instance: string) => `${ruleId} ${instance}`
