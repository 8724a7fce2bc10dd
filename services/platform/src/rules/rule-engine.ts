import type { alarmsContract } from '@longreach/alarms/contract'
import type { FastifyBaseLogger } from 'fastify'
import type { z } from 'zod'
import { createWorkQueue } from '../devices/work-queue.ts'
import type { Device, DurableValues } from '../devices/device.ts'
import { modelOfPaths } from './device-inputs.ts'
import type { Arrived, DeviceRules } from './judged.ts'
import { type OtherInput, RuleJudging } from './rule-judging.ts'
import { type Renewing, renewRules } from './rule-renewing.ts'
import { isStorable, Outcome } from './rule-outcome.ts'
import { createRuleLate, type RuleLate } from './rule-late.ts'
import { newDeviceRules, unplace } from './rule-placing.ts'
import { TakenElsewhere } from './rule-store.ts'
import type { Flush } from './rule-values.ts'
import { writeOutcome } from './rule-writing.ts'

type RuleChange = Pick<
  z.output<typeof alarmsContract.events.rulesChanged.payload>,
  'ruleId' | 'orgResourceId' | 'models' | 'deviceIds'
>
type Options = Renewing & {
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Time in ms after the start of this process in which devices come back that were lost with the one before. */
  returnMs: number
}

/** Devices whose rules are loaded at a time. */
const loadsAtOnce = 8
/** Time in ms after which what failed is tried again. */
const againAfterMs = 1_000
const reloadAfterMs = 10_000
const lateAfterMs = 1_000
/** Clocks jump: what waits is looked at that often at least. */
const longestPauseMs = 60_000

/**
 * Judges the values of a process by rules, once they are durable: in rounds, of which each takes all that came
 * during the one before, and writes states and changes in one transaction.
 */
export class RuleEngine {
  private readonly options: Options
  private readonly judging: RuleJudging
  private readonly late: RuleLate
  private readonly loads = createWorkQueue(loadsAtOnce)
  /** Devices that are being renewed, and those that have to be once more. */
  private readonly renewals = new Map<DeviceRules, { isAgain: boolean }>()
  /** By device. */
  private readonly loaded = new Map<string, DeviceRules>()
  private flushes: Flush[] = []
  private ready: Arrived[] = []
  private inputs: OtherInput[] = []
  private holds: { of: DeviceRules; resolve: () => void }[] = []
  private outcomes: Outcome[] = []
  private unwritten = new Outcome()
  private running: Promise<void> | undefined
  private timer: NodeJS.Timeout | undefined
  private isClosed = false
  private readonly startedAt: number

  constructor(options: Options) {
    this.options = options
    this.startedAt = options.now().getTime()
    this.judging = new RuleJudging(options.log)
    this.late = createRuleLate({
      ...options,
      hold: (of) => this.hold(of),
      done: (of, outcome) => {
        this.outcomes.push(outcome)
        this.release(of)
      },
      waitMs: lateAfterMs,
    })
  }

  /** Takes the values of a flush that are durable. */
  take(values: readonly DurableValues[]) {
    this.flushes.push({ values, at: this.options.now().getTime(), version: 0 })
    this.wake()
  }

  /** Notes a connection of a device to this process; the answer is to be called when it is gone. */
  came(device: Device) {
    const of = this.of(device)
    of.sessions += 1
    return () => {
      of.sessions -= 1
    }
  }

  /** Rules of a device, which are loaded if they are not here yet. */
  of(device: Device): DeviceRules {
    if (device.rules) return device.rules
    const of = newDeviceRules(device)
    device.rules = of
    this.loaded.set(device.id, of)
    this.renew(of)
    return of
  }

  /** Rules of a device that this process judges. */
  byId(deviceId: string): DeviceRules | undefined {
    return this.loaded.get(deviceId)
  }

  /** Loads the rules of a device anew, when they may have changed. */
  renew(of: DeviceRules) {
    const under = this.renewals.get(of)
    if (under) under.isAgain = true
    else {
      this.renewals.set(of, { isAgain: false })
      void this.loads.run(() => this.renewNow(of))
    }
  }

  /**
   * Takes a device's connection, at its own time. A loss from before this process listened may be the platform's
   * own: it counts when the device has not come back some time after the start.
   */
  takeConnection(of: DeviceRules, connected: boolean, at: number) {
    const returned = this.startedAt + this.options.returnMs
    const wait = returned - this.options.now().getTime()
    if (connected || at > this.startedAt || wait <= 0) this.addConnection(of, connected, at)
    else {
      const take = () => {
        if (this.isHere(of) && of.sessions === 0) this.addConnection(of, false, returned)
      }
      setTimeout(take, wait).unref()
    }
  }

  private addConnection(of: DeviceRules, connected: boolean, at: number) {
    for (const { judged, input } of of.connection) {
      if (judged.state.newest.v[input] === connected) continue
      this.inputs.push({ judged, t: Math.max(at, judged.state.at + 1), input, v: connected })
    }
    this.wake()
  }

  /** Judges a device whose process has ended, from what is stored. */
  takeOver(device: Device) {
    const { rules } = device
    if (rules) this.drop(rules)
    const of = this.of(device)
    of.sessions = rules?.sessions ?? 0
  }

  /** Loads the rules of devices anew that a changed rule may judge, or did. */
  takeChange({ ruleId, orgResourceId: org, models, deviceIds }: RuleChange) {
    for (const of of this.loaded.values()) {
      const { device } = of
      const isInside = device.org === org || device.org.startsWith(`${org}.`)
      const isNamed = deviceIds.includes(device.id) || models.includes(modelOfPaths(device) ?? '')
      const isJudged = [...of.judged.values()].some(({ rule }) => rule.id === ruleId)
      if ((isInside && isNamed) || isJudged) this.renew(of)
    }
  }

  /** Forgets a device, which another process judges or nobody. */
  drop(of: DeviceRules) {
    if (this.isHere(of)) this.loaded.delete(of.device.id)
    unplace(of)
    if (of.device.rules === of) of.device.rules = undefined
  }

  private async renewNow(of: DeviceRules) {
    const { log } = this.options
    // At first its values wait already.
    if (of.loaded !== undefined) await this.hold(of)
    try {
      this.outcomes.push(await renewRules(this.options, of))
      this.release(of)
      if (of.lostAt !== undefined) this.takeConnection(of, false, of.lostAt)
    } catch (error) {
      log.warn({ err: error, device: of.device.id }, 'the rules of a device could not be loaded')
      // It is loaded as at first: what was changed of it is not known.
      of.loaded = undefined
      of.seq = undefined
      setTimeout(() => !this.isClosed && this.isHere(of) && this.renew(of), reloadAfterMs).unref()
    }
    const isAgain = this.renewals.get(of)?.isAgain === true
    this.renewals.delete(of)
    if (isAgain) this.renew(of)
  }

  private isHere(of: DeviceRules) {
    return this.loaded.get(of.device.id) === of
  }

  /** Waits until no round is under way; from then on values of the device wait. */
  private hold(of: DeviceRules): Promise<void> {
    return new Promise((resolve) => {
      this.holds.push({ of, resolve })
      this.wake()
    })
  }

  private release(of: DeviceRules) {
    of.isBusy = false
    for (const one of of.waiting) this.ready.push(one)
    of.waiting = []
    if (of.overflowSince !== undefined) {
      for (const judged of of.judged.values()) {
        this.late.note(judged, of.overflowSince, { version: 0, isWhole: true })
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
      this.holds.some(({ of }) => !of.isBusy)
    )
  }

  /** Wakes up for the next timer. */
  private sleep() {
    clearTimeout(this.timer)
    if (this.isClosed) return
    const now = this.options.now().getTime()
    const next = Math.min(this.judging.next, this.unwritten.isEmpty ? Infinity : now + againAfterMs)
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
    const version = Math.min(Infinity, ...[...flushes, ...ready].map((one) => one.version))
    this.flushes = []
    this.ready = []
    this.inputs = []
    await this.judging.round(outcome, now, { flushes, ready, inputs })
    for (const [judged, since] of outcome.again) this.late.note(judged, since, { version })
    outcome.again.clear()
    if (!outcome.isEmpty) await this.write(outcome)
  }

  private admitHolds() {
    const later: typeof this.holds = []
    for (const hold of this.holds.splice(0)) {
      if (hold.of.isBusy) later.push(hold)
      else {
        hold.of.isBusy = true
        hold.resolve()
      }
    }
    this.holds.push(...later)
  }

  private async write(outcome: Outcome) {
    const { db, node, now, log } = this.options
    try {
      await writeOutcome(db, outcome, { node, at: now() })
      this.unwritten = new Outcome()
    } catch (error) {
      if (!(error instanceof TakenElsewhere)) {
        log.warn({ err: error }, 'alarms of rules could not be written yet')
        return
      }
      this.reload(outcome, new Set(error.deviceIds))
    }
  }

  /** Another process has written: its states are the newer ones. */
  private reload(outcome: Outcome, ids: ReadonlySet<string>) {
    const devices = [...outcome.devices].filter(({ device }) => ids.has(device.id))
    outcome.drop(new Set(devices))
    for (const of of devices) {
      if (of.sessions > 0) this.takeOver(of.device)
      else this.drop(of)
    }
  }

  /** Everything that came so far is judged, and written if it can be. */
  async settled() {
    while (this.running || this.renewals.size > 0 || this.hasWork || !this.late.isIdle) {
      await this.running
      await new Promise((resolve) => setImmediate(resolve))
    }
  }

  async close() {
    await this.late.finish()
    await this.settled()
    const outcome = new Outcome()
    for (const of of this.loaded.values()) {
      for (const judged of of.judged.values()) if (isStorable(judged)) outcome.note(judged)
    }
    this.outcomes.push(outcome)
    this.wake()
    await this.settled()
    this.isClosed = true
    clearTimeout(this.timer)
  }
}
