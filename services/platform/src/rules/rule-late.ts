import type { TelemetryStore } from '@longreach/telemetry/store'
import type { FastifyBaseLogger } from 'fastify'
import type { Kysely } from 'kysely'
import type { ServiceDb } from '../database.ts'
import type { DeviceRules, Judged } from '../devices/device.ts'
import { judgeAgain, TooManyValues } from './rule-again.ts'
import { lookBackMs } from './rule-beginning.ts'
import { Outcome } from './rule-outcome.ts'
import { saveUnjudged, UnjudgedValues } from './rule-unjudged.ts'

type Options = {
  db: Kysely<ServiceDb>
  store: () => Promise<TelemetryStore>
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Lets a device's values wait while its instances are judged, and takes what came of it. */
  hold: (of: DeviceRules) => Promise<void>
  done: (of: DeviceRules, outcome: Outcome) => void
  /** Late values come in crowds: what they change is judged once after them. */
  waitMs: number
  /** Values that are read for an instance at most. */
  mostLateValues: number
}

/** Oldest time of late values; `isWhole` when all after it are not judged yet. */
type Since = { t: number; isWhole: boolean }

/** Late values of a device, by instance. */
type Waiting = Map<Judged, Since>

/** Values that are older than the rings of their instances: these are judged again from the store. */
export function createRuleLate(options: Options) {
  const { db, store, now, log, hold, done, waitMs } = options
  const unjudged = new UnjudgedValues()
  const waiting = new Map<DeviceRules, Waiting>()
  let isWorking = false
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()

  const workOn = async (of: DeviceRules, since: Waiting) => {
    await hold(of)
    const outcome = new Outcome()
    try {
      const asked = { ...options, unjudged, of, since, now: now().getTime() }
      await judgeDevice(await store(), asked, outcome)
    } catch (error) {
      log.warn({ err: error, device: of.device.id }, 'late values could not be judged by rules')
    }
    done(of, outcome)
  }
  const work = async () => {
    isWorking = true
    const all = [...waiting]
    waiting.clear()
    for (const [of, one] of all) await workOn(of, one)
    await saveUnjudged(db, unjudged.take(), now())
    isWorking = false
  }
  const run = () => {
    timer = undefined
    working = working.then(work).catch((error: unknown) => {
      isWorking = false
      log.warn({ err: error }, 'late values could not be judged by rules')
    })
    return working
  }
  return {
    /**
     * Notes that an instance has to be judged again from a time on; what is older than seven days is left, and
     * said to be.
     */
    note(judged: Judged, t: number, { isWhole = false } = {}) {
      if (judged.rule.isByArrival) return
      timer ??= setTimeout(() => void run(), waitMs).unref()
      if (t < now().getTime() - lookBackMs) {
        unjudged.add(judged, 'age', { from: t, to: t })
        return
      }
      const one = waiting.get(judged.of) ?? new Map<Judged, Since>()
      const known = one.get(judged)
      one.set(judged, {
        t: Math.min(t, known?.t ?? t),
        isWhole: isWhole || known?.isWhole === true,
      })
      waiting.set(judged.of, one)
    },
    /** Time of the oldest value of a device that waits. */
    sinceOf(of: DeviceRules): number | undefined {
      const times = [...(waiting.get(of)?.values() ?? [])].map(({ t }) => t)
      return times.length > 0 ? Math.min(...times) : undefined
    },
    get isIdle() {
      return waiting.size === 0 && unjudged.isEmpty && !isWorking
    },
    /** Judges what waits at once. */
    async finish() {
      clearTimeout(timer)
      await run()
    },
  }
}
export type RuleLate = ReturnType<typeof createRuleLate>

type Late = Pick<Options, 'log' | 'mostLateValues'> & {
  of: DeviceRules
  since: Waiting
  now: number
  unjudged: UnjudgedValues
}

/** Judges instances of a device, and after them those that wait for their alarms. */
async function judgeDevice(telemetry: TelemetryStore, late: Late, outcome: Outcome) {
  const { of, since } = late
  for (const [judged, from] of since) {
    // It may have another rule by now, or be gone.
    if (of.judged.get(judged.key) !== judged) continue
    await judgeOne(telemetry, judged, { ...late, ...from }, outcome)
    const others = (of.alarms.get(judged.rule.id) ?? []).map((use) => use.judged)
    for (const other of others.filter((one) => !since.has(one) && !one.rule.isByArrival)) {
      since.set(other, from)
    }
  }
}

async function judgeOne(
  telemetry: TelemetryStore,
  judged: Judged,
  { t, isWhole, now, log, mostLateValues: most, unjudged }: Since & Omit<Late, 'of' | 'since'>,
  outcome: Outcome,
) {
  try {
    const to = isWhole ? now : -Infinity
    const { instance, changes, ...again } = await judgeAgain(telemetry, judged, {
      since: t,
      to,
      most,
    })
    const { open, since } = again
    judged.state = instance
    outcome.note(judged)
    outcome.publish(judged, changes, {
      heardAt: now,
      again: { since, ...(open && { open }) },
    })
  } catch (error) {
    if (!(error instanceof TooManyValues)) throw error
    unjudged.add(judged, 'values', { from: t, to: Math.max(t, judged.state.at) })
    const about = { device: judged.of.device.id, rule: judged.rule.id }
    log.warn(about, 'late values were not judged: too many values came after them')
  }
}
