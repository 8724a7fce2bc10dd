import { setImmediate as nextTurn } from 'node:timers/promises'
import type { alarmsContract } from '@longreach/alarms/contract'
import type { TelemetryStore } from '@longreach/telemetry/store'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { ServiceDb } from '../database.ts'
import { createWorkQueue } from '../devices/work-queue.ts'
import type { Device, DeviceRules, DurableValues } from '../devices/device.ts'
import { modelOfPaths } from './device-inputs.ts'
import { createRuleLate, type RuleLate } from './rule-late.ts'
import { isStorable, Outcome } from './rule-outcome.ts'
import { newDeviceRules, unplace } from './rule-placing.ts'
import { createNewestReading, createRuleReading } from './rule-reading.ts'
import { type Renewing, renewRules } from './rule-renewing.ts'
import { RuleRounds } from './rule-rounds.ts'
import { numberOfDevice } from './rule-store.ts'

type RuleChange = Pick<
  z.output<typeof alarmsContract.events.rulesChanged.payload>,
  'ruleId' | 'orgResourceId' | 'models' | 'deviceIds'
>
type Options = Pick<Renewing, 'now' | 'compiler' | 'policies' | 'read'> & {
  db: Kysely<ServiceDb>
  store: () => Promise<TelemetryStore>
  /** Number of this process. */
  node: number
  log: Pick<FastifyBaseLogger, 'warn' | 'error'>
  /** Time in ms after the start of this process in which devices come back that were lost with the one before. */
  returnMs: number
  /** Values that are read at most to judge late ones. */
  mostLateValues: number
}

/** Devices whose rules are loaded at a time: they share their questions. */
const loadsAtOnce = 250
/** Devices for which alarms and triggers are asked at a time. */
const readsAtOnce = 8
/** Time in ms after which rules that could not be loaded are asked for again. */
const reloadAfterMs = 2_000
/** Time in ms that late values wait for others of their crowd. */
const lateAfterMs = 1_000
/** Time in ms for which the end waits for work that hangs. */
const longestEndMs = 10_000

function newRenewing({ db, node, store, ...options }: Options): Renewing {
  const reads = createWorkQueue(readsAtOnce)
  let newest: ReturnType<typeof createNewestReading> | undefined
  return {
    ...options,
    reading: createRuleReading({ db, node, now: options.now }),
    newest: async () => (newest ??= createNewestReading(await store())),
    read: (of) => reads.run(() => options.read(of)),
  }
}

/** Devices that this process judges by rules, and their rules. */
export class RuleEngine {
  private readonly options: Options
  private readonly rounds: RuleRounds
  private readonly late: RuleLate
  private readonly loads = createWorkQueue(loadsAtOnce)
  private readonly renewing: Renewing
  /** Devices that are being renewed, and those that have to be once more. */
  private readonly renewals = new Map<DeviceRules, { isAgain: boolean }>()
  /** By device. */
  private readonly loaded = new Map<string, DeviceRules>()
  private isClosed = false
  private readonly startedAt: number

  constructor(options: Options) {
    this.options = options
    this.startedAt = options.now().getTime()
    this.renewing = newRenewing(options)
    this.late = createRuleLate({
      ...options,
      hold: (of) => this.rounds.hold(of),
      done: (of, outcome) => {
        this.rounds.release(of)
        if (of.isDropped) return
        of.againSince = this.late.sinceOf(of)
        outcome.devices.add(of)
        this.rounds.takeOutcome(outcome)
      },
      waitMs: lateAfterMs,
    })
    this.rounds = new RuleRounds({
      ...options,
      late: this.late,
      takenElsewhere: (of) => {
        if (of.sessions > 0) this.takeOver(of.device)
        else this.drop(of)
      },
    })
  }

  /** Takes the values of a block that are durable. */
  take(values: DurableValues, version: number) {
    this.rounds.take(values, version)
  }

  /** Notes a connection of a device to this process; the answer is to be called when it is gone. */
  came(device: Device) {
    const isKnown = device.rules !== undefined
    const of = this.of(device)
    if (isKnown && of.sessions === 0) void this.loads.run(() => this.compare(of))
    of.sessions += 1
    return () => {
      of.sessions -= 1
    }
  }

  /** Loads a device anew that was at another process meanwhile. */
  private async compare(of: DeviceRules) {
    const { db, log } = this.options
    try {
      const seq = await numberOfDevice(db, of.device.id)
      if (this.isHere(of) && of.seq !== undefined && seq !== of.seq) this.takeOver(of.device)
    } catch (error) {
      log.warn({ err: error, device: of.device.id }, 'the rules of a device could not be compared')
    }
  }

  /** Rules of a device, which are loaded if they are not here yet. */
  of(device: Device): DeviceRules {
    if (device.rules) return device.rules
    const of = newDeviceRules(device)
    device.rules = of
    this.loaded.set(device.id, of)
    this.rounds.begin(of)
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
    const inputs = of.connection
      .filter(({ judged, input }) => judged.state.newest.v[input] !== connected)
      .map(({ judged, input }) => ({
        judged,
        t: Math.max(at, judged.state.at + 1),
        input,
        v: connected,
      }))
    this.rounds.takeInputs(inputs)
  }

  /** Judges a device whose process has ended, from what is stored. */
  takeOver(device: Device) {
    const { rules } = device
    if (rules) this.drop(rules)
    const of = this.of(device)
    of.sessions = rules?.sessions ?? 0
    for (const arrived of rules?.waiting ?? []) of.waiting.push(arrived)
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

  /** Loads the rules of devices anew that a changed trigger may judge, or did. */
  takeTrigger({ triggerId, orgResourceId: org }: { triggerId: string; orgResourceId: string }) {
    for (const of of this.loaded.values()) {
      const { device } = of
      const isInside = device.org === org || device.org.startsWith(`${org}.`)
      const isJudged = [...of.judged.values()].some(({ rule }) => rule.id === triggerId)
      if (isInside || isJudged) this.renew(of)
    }
  }

  /** Loads the rules of devices anew of which one is in service again by now. */
  renewDue(now: number) {
    for (const of of this.loaded.values()) {
      if (of.againAt === undefined || of.againAt > now) continue
      of.againAt = undefined
      this.renew(of)
    }
  }

  /** Forgets a device, which another process judges or nobody. */
  drop(of: DeviceRules) {
    if (this.isHere(of)) this.loaded.delete(of.device.id)
    of.isDropped = true
    this.rounds.forget(of)
    unplace(of)
    if (of.device.rules === of) of.device.rules = undefined
  }

  private async renewNow(of: DeviceRules) {
    const { log } = this.options
    // At first its values wait already.
    if (of.loaded !== undefined) await this.rounds.hold(of)
    try {
      const outcome = of.isDropped ? undefined : await renewRules(this.renewing, of)
      if (outcome && !of.isDropped) {
        this.judgeAgain(of, outcome)
        this.rounds.takeOutcome(outcome)
      }
      this.rounds.release(of)
      if (of.lostAt !== undefined && !of.isDropped) this.takeConnection(of, false, of.lostAt)
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

  /** Judges a device again that another process has judged before, as its row says. */
  private judgeAgain(of: DeviceRules, outcome: Outcome) {
    if (of.againSince === undefined) return
    for (const judged of of.judged.values()) {
      this.late.note(judged, of.againSince, { isWhole: true })
    }
    of.againSince = this.late.sinceOf(of)
    outcome.devices.add(of)
  }

  private isHere(of: DeviceRules) {
    return this.loaded.get(of.device.id) === of
  }

  /** All values that are durable now are judged and that is written, or it takes too long. */
  caughtUp() {
    return this.rounds.caughtUp()
  }

  /** Everything that came so far is judged, and written if it can be; what hangs is waited for no longer than this. */
  private async settled() {
    const end = performance.now() + longestEndMs
    const isDone = () => this.rounds.isIdle && this.renewals.size === 0 && this.late.isIdle
    while (!isDone() && performance.now() < end) {
      await this.rounds.rest()
      await nextTurn()
    }
  }

  async close() {
    await this.late.finish()
    await this.settled()
    const outcome = new Outcome()
    for (const of of this.loaded.values()) {
      for (const judged of of.judged.values()) if (isStorable(judged)) outcome.note(judged)
    }
    this.rounds.takeOutcome(outcome)
    await this.settled()
    this.isClosed = true
    this.rounds.close()
  }
}
