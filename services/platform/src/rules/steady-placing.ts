import { canBeSteady } from '@longreach/rules/steady'
import type { DeviceRules, Judged, RuleUse, Target } from '../devices/device.ts'
import { JudgedInstance } from './judged-instance.ts'
import { InstanceGroup } from './steady-group.ts'

/** Instances of a group at most: a value that is judged has all of them looked at. */
const largest = 64

/** Uses of paths that no other instance has. */
const none: readonly RuleUse[] = []

/** Groups the paths of a device that instances share, so that values that change nothing need not be judged. */
export function placeSteadyPaths({ targets, clock, anyArrival }: DeviceRules) {
  for (const group of groupsOf(targets)) {
    if (group.all.size > largest) continue
    const steady = new InstanceGroup([...group.all])
    for (const judged of group.all) judged.steady = steady
    for (const target of group.targets) {
      const uses = target.ruleUses ?? []
      const isSteady = ({ judged }: RuleUse) => isSteadyOne(judged) && group.all.has(judged)
      const others = [...uses.filter((use) => !isSteady(use)), ...anyArrival]
      target.steady = steady.add({
        uses: others.length > 0 ? uses.filter((use) => isSteady(use)) : uses,
        otherUses: others.length > 0 ? others : none,
        clock,
      })
    }
  }
}

/** Has all values of a device judged until its groups are opened again. */
export function closeSteadyPaths({ targets }: DeviceRules) {
  for (const { steady } of targets) steady?.group.close()
}

/** Takes the groups off the paths of a device; their values reach the states of the instances. */
export function unplaceSteadyPaths(targets: readonly Target[]) {
  for (const target of targets) {
    target.steady?.group.close()
    target.steady = undefined
  }
}

type Group = { all: Set<JudgedInstance>; targets: Set<Target> }

/** Targets with the instances that they share with others. */
function groupsOf(targets: readonly Target[]): Set<Group> {
  const byInstance = new Map<JudgedInstance, Group>()
  const groups = new Set<Group>()
  for (const target of targets) {
    const all = new Set((target.ruleUses ?? []).flatMap(({ judged }) => steadyOnes(judged)))
    if (all.size === 0) continue
    const group: Group = { all, targets: new Set([target]) }
    for (const other of new Set([...all].flatMap((one) => byInstance.get(one) ?? []))) {
      groups.delete(other)
      for (const one of other.all) all.add(one)
      for (const one of other.targets) group.targets.add(one)
    }
    groups.add(group)
    for (const one of all) byInstance.set(one, group)
  }
  return groups
}

const steadyOnes = (judged: Judged) => (isSteadyOne(judged) ? [judged] : [])

/** True for an instance that compares whole values of paths. */
const isSteadyOne = (judged: Judged): judged is JudgedInstance =>
  judged instanceof JudgedInstance &&
  canBeSteady(judged.rule.compiled) &&
  judged.sources.every((source) => source?.field === undefined)
