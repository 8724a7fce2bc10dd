import type { DeviceClock } from '@longreach/rules/device-clock'
import { noValues, type SteadyValues } from '@longreach/rules/steady'
import { ringLimits } from '@longreach/rules/ring'
import type { Value } from '@longreach/telemetry/store'
import type { RuleUse, SteadyGroup, SteadyPath } from '../devices/device.ts'

/** Values that are kept: as many as the ring of an instance has, and the one before them. */
const kept = ringLimits.values + 1
/** Places in the numbers of a path: its range, those of its group, and from `values` times and values in turn. */
const places = { low: 0, high: 1, count: 2, newest: 3, floor: 4, due: 5, values: 6 } as const

type Kept = Pick<KeptValues, 'group' | 'uses' | 'otherUses' | 'clock'>

/**
 * Latest values of a path that change nothing for its instances, which are told of them when somebody reads their
 * states. All numbers are in one list, so that a value costs no more than a look and two entries.
 */
export class KeptValues implements SteadyPath {
  readonly group: SteadyGroup
  readonly uses: readonly RuleUse[]
  readonly otherUses: readonly RuleUse[]
  readonly clock: DeviceClock
  private readonly numbers: number[]
  private shared: number[]
  private same: SteadyValues['same']

  constructor({ group, uses, otherUses, clock }: Kept) {
    this.group = group
    this.uses = uses
    this.otherUses = otherUses
    this.clock = clock
    this.numbers = Array.from({ length: places.values + 2 * kept }, () => 0.5)
    this.shared = this.numbers
    this.setRange(noValues)
    this.forget()
  }

  /** Keeps the numbers of its group with those of another path. */
  join({ shared }: KeptValues) {
    this.shared = shared
  }

  take(t: number, v: Value): boolean {
    const { numbers, shared } = this
    if (!this.isSteady(v) || t >= (shared[places.due] ?? 0)) return false
    const count = numbers[places.count] ?? 0
    if (t <= (shared[places.newest] ?? 0) && !this.isBeside(t, count)) return false
    const place = places.values + (count % kept) * 2
    numbers[place] = t
    numbers[place + 1] = typeof v === 'number' ? v : NaN
    numbers[places.count] = count + 1
    shared[places.newest] = t
    return true
  }

  private isSteady(v: Value) {
    if (typeof v !== 'number') return v === this.same
    const { low, high } = places
    return v >= (this.numbers[low] ?? 0) && v <= (this.numbers[high] ?? 0)
  }

  /** True for a value of the newest time of the group when the path has none of that time yet. */
  private isBeside(t: number, count: number) {
    const { numbers, shared } = this
    if (t !== shared[places.newest] || t === shared[places.floor]) return false
    return count === 0 || numbers[places.values + ((count - 1) % kept) * 2] !== t
  }

  setRange({ low, high, same }: SteadyValues) {
    this.numbers[places.low] = low
    this.numbers[places.high] = high
    // No value is undefined.
    this.same = same
  }

  /** Begins anew after what its group has judged. */
  begin(floor: number, due: number) {
    this.shared[places.newest] = floor
    this.shared[places.floor] = floor
    this.shared[places.due] = due
  }

  /** Time of the newest value that is kept; undefined without any in the group. */
  get newest(): number | undefined {
    const [, , , newest = 0, floor = 0] = this.shared
    return newest > floor ? newest : undefined
  }

  get isTimed() {
    return this.due !== Infinity
  }

  get due() {
    return this.shared[places.due] ?? Infinity
  }

  /** Time of the oldest value that is kept, when older ones were forgotten; it was judged as they were. */
  get oldest(): number | undefined {
    const count = this.numbers[places.count] ?? 0
    return count < kept ? undefined : this.numbers[places.values + (count % kept) * 2]
  }

  /** Values that are kept, in order of time. */
  *values(): Iterable<{ t: number; v: Value }> {
    const { numbers, same } = this
    const count = numbers[places.count] ?? 0
    for (let one = Math.max(0, count - kept); one < count; one += 1) {
      const place = places.values + (one % kept) * 2
      const v = numbers[place + 1] ?? NaN
      yield { t: numbers[place] ?? 0, v: Number.isNaN(v) ? (same ?? null) : v }
    }
  }

  forget() {
    this.numbers[places.count] = 0
  }
}
