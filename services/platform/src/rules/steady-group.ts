import type { Given, Input } from '@longreach/rules/input'
import { beforeAll } from '@longreach/rules/state'
import { noValues, steadyValues } from '@longreach/rules/steady'
import type { Judged, SteadyGroup } from '../devices/device.ts'
import type { JudgedInstance } from './judged-instance.ts'
import { KeptValues } from './kept-values.ts'

/** Values that are judged before a group looks again, at most. */
const longestWait = 64

/**
 * Instances of a device that share paths, and these paths. While it is open, values that change nothing are kept by
 * the paths; it is closed by any other value, and whenever a state of its instances is set.
 */
export class InstanceGroup implements SteadyGroup {
  paths: readonly KeptValues[] = []
  readonly all: readonly JudgedInstance[]
  private isOpen = false
  /** Looks to be left out, and that number after the next one that was for nothing. */
  private wait = 0
  private nextWait = 0

  constructor(all: readonly JudgedInstance[]) {
    this.all = all
  }

  /** Adds a path of its instances. */
  add(about: Pick<KeptValues, 'uses' | 'otherUses' | 'clock'>): KeptValues {
    const path = new KeptValues({ group: this, ...about })
    const [first] = this.paths
    if (first) path.join(first)
    this.paths = [...this.paths, path]
    return path
  }

  /** Opens it if its instances have no values to be judged; false when it stays as it is. */
  open(): boolean {
    if (this.isOpen) return false
    if (this.wait > 0) {
      this.wait -= 1
      return false
    }
    this.wait = this.nextWait
    this.nextWait = Math.min(longestWait, this.nextWait * 2 + 1)
    let floor = beforeAll
    let due = Infinity
    for (const { state, values, isStored, of } of this.all) {
      // A timer that no row tells of is yet to be written.
      if (of.isBusy || values.length > 0 || (state.due !== null && !isStored)) return false
      floor = Math.max(floor, state.at)
      due = Math.min(due, state.due ?? Infinity)
    }
    for (const path of this.paths) path.setRange(steadyRange(path))
    this.paths[0]?.begin(floor, due)
    this.isOpen = true
    return true
  }

  settle() {
    const newest = this.paths[0]?.newest
    if (newest === undefined) return
    this.nextWait = 0
    this.wait = 0
    let until = -Infinity
    for (const { oldest } of this.paths) until = Math.max(until, oldest ?? -Infinity)
    const inputs = new Map<Judged, Map<number, Given[]>>(
      this.all.map((judged) => [judged, new Map()]),
    )
    for (const path of this.paths) {
      for (const { t, v } of path.values()) {
        for (const { judged, input } of path.uses) addGiven(inputs.get(judged), t, [input, v])
      }
      path.forget()
    }
    this.paths[0]?.begin(newest, this.paths[0].due)
    for (const judged of this.all)
      judged.goOn(inputsInOrder(inputs.get(judged) ?? new Map()), until)
  }

  close() {
    if (!this.isOpen) return
    this.settle()
    this.isOpen = false
    for (const path of this.paths) path.setRange(noValues)
  }
}

function addGiven(byTime: Map<number, Given[]> | undefined, t: number, given: Given) {
  const known = byTime?.get(t)
  if (known) known.push(given)
  else byTime?.set(t, [given])
}

const inputsInOrder = (byTime: ReadonlyMap<number, Given[]>): Input[] =>
  [...byTime].map(([t, values]) => ({ t, values })).toSorted((one, other) => one.t - other.t)

/** Values that are steady for all uses of a path. */
function steadyRange({ uses }: KeptValues) {
  const [low, high] = [-Infinity, Infinity]
  const range = { low, high, same: undefined as string | boolean | undefined }
  for (const [index, { judged, input }] of uses.entries()) {
    const one = steadyValues(judged.rule.compiled, judged.state, input)
    range.low = Math.max(range.low, one.low)
    range.high = Math.min(range.high, one.high)
    range.same = index === 0 || range.same === one.same ? one.same : undefined
  }
  return range
}
