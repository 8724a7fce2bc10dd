import { type Instance, newInstance } from '@longreach/rules/state'
import { afterSteady } from '@longreach/rules/steady'
import type { Input as RuleInput } from '@longreach/rules/input'
import type { DeviceRule, DeviceRules, Input, Judged, SteadyGroup } from '../devices/device.ts'

/** Gathered values of an instance that has none. */
const nothing: never[] = []

type Placed = Pick<Judged, 'of' | 'key' | 'rule' | 'instance' | 'sources'>

/** Instance of a rule on a device. Values that change nothing reach its state when that is read. */
export class JudgedInstance implements Judged {
  of: DeviceRules
  key: string
  rule: DeviceRule
  instance: string
  sources: readonly (Input | undefined)[]
  isStored = false
  wakesAt: number | undefined = undefined
  times: Judged['times'] = nothing
  values: Judged['values'] = nothing
  declare almostAt?: number
  /** Group that keeps its steady values, if it is in one. */
  steady: SteadyGroup | undefined = undefined
  private known: Instance

  constructor({ of, key, rule, instance, sources }: Placed) {
    this.of = of
    this.key = key
    this.rule = rule
    this.instance = instance
    this.sources = sources
    this.known = newInstance(rule.compiled)
  }

  get state(): Instance {
    this.steady?.settle()
    return this.known
  }

  set state(state: Instance) {
    this.steady?.close()
    this.known = state
  }

  get due() {
    return this.known.due
  }

  /** Takes steady values, of which older ones than `until` are not known any more. */
  goOn(inputs: readonly RuleInput[], until: number) {
    this.known = afterSteady(this.rule.compiled, this.known, inputs, until)
  }
}
