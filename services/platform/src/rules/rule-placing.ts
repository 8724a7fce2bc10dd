import { judgedKey } from './judged-key.ts'
import { DeviceClock } from '@longreach/rules/device-clock'
import type { Device, DeviceRule, DeviceRules, Input, Judged, RuleUse } from '../devices/device.ts'
import { inputSources, instancesWithSources } from './device-inputs.ts'
import { JudgedInstance } from './judged-instance.ts'
import { placeSteadyPaths, unplaceSteadyPaths } from './steady-placing.ts'

/** Rules of a device that are not loaded yet: its values wait. */
export const newDeviceRules = (device: Device): DeviceRules => ({
  device,
  clock: new DeviceClock(),
  judged: new Map(),
  anyArrival: [],
  connection: [],
  alarms: new Map(),
  targets: [],
  seq: undefined,
  isDropped: false,
  isBusy: true,
  waiting: [],
  overflowSince: undefined,
  againSince: undefined,
  sessions: 0,
  lostAt: undefined,
  loaded: undefined,
  againAt: undefined,
})

/** Instances of rules on a device as it is now; states of those that were there stay. */
export function placeRules(of: DeviceRules, rules: readonly DeviceRule[]): Judged[] {
  const sources = inputSources(of.device)
  const before = of.judged
  unplace(of)
  const added: Judged[] = []
  for (const rule of rules) {
    for (const found of instancesWithSources(rule, sources)) {
      const key = judgedKey(rule.id, found.instance)
      const known = before.get(key)
      const judged =
        known?.rule.key === rule.key
          ? Object.assign(known, { rule, sources: found.sources })
          : new JudgedInstance({ of, key, rule, ...found })
      if (judged !== known) added.push(judged)
      of.judged.set(key, judged)
      placeInputs(of, judged, found.sources)
    }
  }
  placeSteadyPaths(of)
  return added
}

/** Places the inputs of an instance at the paths of the device that they are. */
function placeInputs(of: DeviceRules, judged: Judged, sources: readonly (Input | undefined)[]) {
  for (const [input, source] of sources.entries()) {
    const { kind } = judged.rule.compiled.inputs[input] ?? { kind: 'path' }
    const use = { judged, input, ...(source?.field !== undefined && { field: source.field }) }
    if (source) addUse(of, source.target, use)
    else if (kind !== 'path') addOther(of, use)
  }
}

/** Takes all inputs off the paths of a device. */
export function unplace(of: DeviceRules) {
  unplaceSteadyPaths(of.targets)
  for (const target of of.targets) target.ruleUses = undefined
  of.targets = []
  of.judged = new Map()
  of.anyArrival = []
  of.connection = []
  of.alarms = new Map()
}

function addUse(of: DeviceRules, target: DeviceRules['targets'][number], use: RuleUse) {
  if (!target.ruleUses) of.targets.push(target)
  target.ruleUses = [...(target.ruleUses ?? []), use]
}

/** Input that is no path: any arrival, the connection, or the alarm of another rule. */
function addOther(of: DeviceRules, use: RuleUse) {
  const input = use.judged.rule.compiled.inputs[use.input]
  if (input?.kind === 'arrival' && input.path === undefined) of.anyArrival.push(use)
  else if (input?.kind === 'connection' && input.source === 'IOT') of.connection.push(use)
  else if (input?.kind === 'alarm') {
    of.alarms.set(input.rule, [...(of.alarms.get(input.rule) ?? []), use])
  }
}
