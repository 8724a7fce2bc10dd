import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { Arrived, DeviceRules, DurableValues } from '../devices/device.ts'
import { Progress } from './progress.ts'
import { type OtherInput, RuleJudging } from './rule-judging.ts'
import type { RuleLate } from './rule-late.ts'
import { Outcome } from './rule-outcome.ts'
import { noteUnjudged } from './rule-progress.ts'
import { TakenElsewhere } from './rule-store.ts'
import type { Flush } from './rule-values.ts'
import { closeSteadyPaths } from './steady-placing.ts'
import { writeOutcome } from './rule-writing.ts'

type Options = {
  db: Kysely<ServiceDb>
  /** Number of this process. */
  node: number
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Values that are older than the rings of their instances. */
  late: Pick<RuleLate, 'note' | 'sinceOf'>
  /** Called for a device that another process has written about: its states are the newer ones. */
  takenElsewhere: (of: DeviceRules) => void
}

/** Time in ms after which what failed is tried again. */
const againAfterMs = 1_000
/** Clocks jump: what waits is looked at that often at least. */
const longestPauseMs = 60_000
/** Time in ms for which the deletion of blocks waits for rules. */
const longestCatchUpMs = 10_000

/**
 * Rounds in which the values of a process are judged once they are durable. Each takes all that came during the
 * one before, and writes states and changes in one transaction.
 */
export class RuleRounds {
  private readonly options: Options
  private readonly judging: RuleJudging
  private readonly progress: Progress
  /** Devices whose values wait. */
  private readonly busy = new Set<DeviceRules>()
  private flushes: Flush[] = []
  private ready: Arrived[] = []
  private inputs: OtherInput[] = []
  private holds: { of: DeviceRules; resolve: () => void }[] = []
  private outcomes: Outcome[] = []
  private unwritten = new Outcome()
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isClosed = false

  constructor(options: Options) {
    this.options = options
    this.judging = new RuleJudging(options.log)
    this.progress = new Progress(options.now)
  }

  /** Takes the values of a block that are durable. */
  take(values: DurableValues, version: number) {
    this.flushes.push({ values, at: this.options.now().getTime(), version })
    this.wake()
  }

  takeInputs(inputs: readonly OtherInput[]) {
    this.inputs.push(...inputs)
    this.wake()
  }

  /** Takes what was judged elsewhere, to be written with the next round. */
  takeOutcome(outcome: Outcome) {
    this.outcomes.push(outcome)
    this.wake()
  }

  /** Lets the values of a new device wait. */
  begin(of: DeviceRules) {
    this.busy.add(of)
  }

  forget(of: DeviceRules) {
    this.busy.delete(of)
  }

  /** Waits until no round is under way; from then on values of the device wait. */
  hold(of: DeviceRules): Promise<void> {
    return new Promise((resolve) => {
      this.holds.push({ of, resolve })
      this.wake()
    })
  }

  /** Lets the values of a device be judged from now on. */
  release(of: DeviceRules) {
    of.isBusy = false
    this.busy.delete(of)
    if (of.isDropped) return this.wake()
    for (const one of of.waiting) this.ready.push(one)
    of.waiting = []
    if (of.overflowSince !== undefined) {
      for (const judged of of.judged.values()) {
        this.options.late.note(judged, of.overflowSince, { isWhole: true })
      }
      of.overflowSince = undefined
    }
    for (const judged of of.judged.values()) this.judging.setTimer(judged)
    this.wake()
  }

  private wake() {
    if (this.isClosed) return
    this.running ??= this.run().finally(() => {
      this.running = undefined
      if (this.hasWork) this.wake()
      else this.sleep()
    })
  }

  private get hasWork() {
    return (
      this.flushes.length > 0 ||
      this.ready.length > 0 ||
      this.inputs.length > 0 ||
      this.outcomes.length > 0 ||
      this.holds.some(({ of }) => !of.isBusy || of.isDropped)
    )
  }

  /** Wakes up for the next timer. */
  private sleep() {
    clearTimeout(this.timer)
    if (this.isClosed) return
    const now = this.options.now().getTime()
    const again = this.unwritten.isEmpty && !this.progress.isBehind ? Infinity : now + againAfterMs
    const next = Math.min(this.judging.next, again)
    if (next === Infinity) return
    const wait = Math.min(longestPauseMs, Math.max(0, next - now))
    this.timer = setTimeout(() => this.wake(), wait).unref()
  }

  private async run() {
    // What comes in the same turn of the event loop is judged together.
    await Promise.resolve()
    try {
      await this.round()
    } catch (error) {
      this.options.log.error({ err: error }, 'a round of rules failed')
    }
  }

  private async round() {
    this.admitHolds()
    const now = this.options.now().getTime()
    const outcome = this.unwritten
    for (const one of this.outcomes.splice(0)) outcome.add(one)
    const { flushes, ready, inputs } = this
    for (const { version } of flushes) this.progress.taken(version)
    this.flushes = []
    this.ready = []
    this.inputs = []
    await this.judging.round(outcome, now, { flushes, ready, inputs })
    this.noteLate(outcome)
    const progress = this.progress.due(this.waitingRows())
    if (!outcome.isEmpty || progress !== undefined) await this.write(outcome, progress)
  }

  /** Notes values that are older than the rings of their instances. */
  private noteLate(outcome: Outcome) {
    for (const [judged, since] of outcome.again) {
      const { of } = judged
      this.options.late.note(judged, since)
      of.againSince = this.options.late.sinceOf(of) ?? of.againSince
      outcome.devices.add(of)
    }
    outcome.again.clear()
  }

  /** Values that came and are not judged yet. */
  private *waitingRows(): Iterable<{ version: number }> {
    yield* this.flushes
    yield* this.ready
    for (const { waiting } of this.busy) yield* waiting.slice(0, 1)
  }

  private admitHolds() {
    const later: typeof this.holds = []
    for (const hold of this.holds.splice(0)) {
      if (hold.of.isBusy && !hold.of.isDropped) later.push(hold)
      else {
        hold.of.isBusy = true
        closeSteadyPaths(hold.of)
        if (!hold.of.isDropped) this.busy.add(hold.of)
        hold.resolve()
      }
    }
    this.holds.push(...later)
  }

  private async write(outcome: Outcome, progress: number | undefined) {
    const { db, node, now, log } = this.options
    try {
      const onInvalid = (about: object) =>
        log.error(about, 'a change of a rule could not be published')
      await writeOutcome(db, outcome, { node, at: now(), progress, onInvalid })
      this.progress.saved(progress)
      this.unwritten = new Outcome()
    } catch (error) {
      if (!(error instanceof TakenElsewhere)) {
        log.warn({ err: error }, 'alarms of rules could not be written yet')
        return
      }
      await this.reload(outcome, new Set(error.deviceIds))
    }
  }

  /** Another process has written: its states are the newer ones. */
  private async reload(outcome: Outcome, ids: ReadonlySet<string>) {
    const { db, now } = this.options
    const devices = [...outcome.devices].filter(({ device }) => ids.has(device.id))
    // What this process has judged is judged again by the one that has the device.
    const since = outcome.oldestOf(ids)
    for (const { device, againSince: t } of devices) {
      if (t !== undefined) since.set(device.id, Math.min(t, since.get(device.id) ?? t))
    }
    if (since.size > 0) await noteUnjudged(db, since, [], now())
    outcome.drop(new Set(devices))
    for (const of of devices) this.options.takenElsewhere(of)
    this.outcomes.push(new Outcome())
  }

  /** All values that are durable now are judged and that is written, or it takes too long. */
  async caughtUp() {
    const until = this.progress.newest
    const end = performance.now() + longestCatchUpMs
    while (this.progress.written < until && performance.now() < end && !this.isClosed) {
      this.progress.hurry()
      this.wake()
      await pause(20)
    }
  }

  /** True when nothing is left to be judged, as far as it can be. */
  get isIdle() {
    return !this.running && !this.hasWork
  }

  /** Waits for the present round. */
  async rest() {
    await this.running
  }

  close() {
    this.isClosed = true
    clearTimeout(this.timer)
  }
}
