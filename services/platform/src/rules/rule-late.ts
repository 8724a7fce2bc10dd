import type { TelemetryStore } from '@longreach/telemetry/store'
import type { FastifyBaseLogger } from 'fastify'
import type { DeviceRules, Judged } from './judged.ts'
import { judgeAgain, TooManyValues } from './rule-again.ts'
import { lookBackMs } from './rule-beginning.ts'
import { Outcome } from './rule-outcome.ts'

type Options = {
  store: () => Promise<TelemetryStore>
  now: () => Date
  log: Pick<FastifyBaseLogger, 'warn'>
  /** Lets a device's values wait while its instances are judged, and takes what came of it. */
  hold: (of: DeviceRules) => Promise<void>
  done: (of: DeviceRules, outcome: Outcome) => void
  /** Late values come in crowds: what they change is judged once after them. */
  waitMs: number
}

/** Oldest time of late values; `isWhole` when all after it are not judged yet. */
type Since = { t: number; isWhole: boolean }

/** Oldest block with such values, and whether all later ones are not judged yet. */
type Noted = { version: number; isWhole?: boolean }

/** Late values of a device: by instance the time of the oldest, and the oldest block that they are in. */
type Waiting = { since: Map<Judged, Since>; version: number }

/** Values that are older than the rings of their instances: these are judged again from the store. */
export function createRuleLate({ store, now, log, hold, done, waitMs }: Options) {
  const waiting = new Map<DeviceRules, Waiting>()
  const underWay = new Set<Waiting>()
  let timer: NodeJS.Timeout | undefined
  let working = Promise.resolve()

  const workOn = async (of: DeviceRules, { since }: Waiting) => {
    await hold(of)
    const outcome = new Outcome()
    try {
      const telemetry = await store()
      for (const [judged, from] of since) {
        // It may have another rule by now, or be gone.
        if (of.judged.get(judged.key) !== judged) continue
        await judgeOne(telemetry, judged, from, outcome)
        // Those that wait for its alarm are judged after it.
        for (const { judged: other } of of.alarms.get(judged.rule.id) ?? []) {
          if (!since.has(other) && !other.rule.isByArrival) since.set(other, from)
        }
      }
    } catch (error) {
      log.warn({ err: error, device: of.device.id }, 'late values could not be judged by rules')
    }
    done(of, outcome)
  }
  const judgeOne = async (
    telemetry: TelemetryStore,
    judged: Judged,
    { t, isWhole }: Since,
    outcome: Outcome,
  ) => {
    try {
      const to = isWhole ? now().getTime() : -Infinity
      const { instance, changes, ...again } = await judgeAgain(telemetry, judged, { since: t, to })
      const { open, since: from } = again
      judged.state = instance
      outcome.note(judged)
      outcome.publish(judged, changes, {
        heardAt: now().getTime(),
        again: { since: from, ...(open && { open }) },
      })
    } catch (error) {
      if (!(error instanceof TooManyValues)) throw error
      const about = { device: judged.of.device.id, rule: judged.rule.id }
      log.warn(about, 'late values were not judged: too many values came after them')
    }
  }
  const work = async () => {
    const all = [...waiting]
    waiting.clear()
    for (const [, one] of all) underWay.add(one)
    for (const [of, one] of all) {
      await workOn(of, one)
      underWay.delete(one)
    }
  }
  const run = () => {
    timer = undefined
    working = working.then(work)
    return working
  }
  return {
    /** Notes that an instance has to be judged again from a time on; what is older than seven days is left. */
    note(judged: Judged, t: number, { version, isWhole = false }: Noted) {
      if (judged.rule.isByArrival || t < now().getTime() - lookBackMs) return
      const one = waiting.get(judged.of) ?? { since: new Map<Judged, Since>(), version }
      const known = one.since.get(judged)
      one.since.set(judged, {
        t: Math.min(t, known?.t ?? t),
        isWhole: isWhole || known?.isWhole === true,
      })
      one.version = Math.min(version, one.version)
      waiting.set(judged.of, one)
      timer ??= setTimeout(() => void run(), waitMs).unref()
    },
    /** Oldest block with values that wait. */
    get oldestVersion() {
      return Math.min(Infinity, ...[...waiting.values(), ...underWay].map(({ version }) => version))
    },
    get isIdle() {
      return waiting.size === 0 && underWay.size === 0
    },
    /** Judges what waits at once. */
    async finish() {
      clearTimeout(timer)
      await run()
    },
  }
}
export type RuleLate = ReturnType<typeof createRuleLate>
