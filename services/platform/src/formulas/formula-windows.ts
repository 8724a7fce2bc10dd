import type { TelemetryStore } from '@longreach/telemetry/store'
import { stepAt } from '@longreach/formula/windows'
import type { FastifyBaseLogger } from 'fastify'
import type { Computed, Device, Target } from '../devices/device.ts'
import { StepTooLarge } from '../queries/query-figures.ts'
import { computeAgain, type Keep } from './formula-again.ts'
import {
  computeWindows,
  firstChanged,
  isWindowed,
  notComputedSince,
  outerSpan,
  overBefore,
} from './window-values.ts'

type Options = {
  store: () => Promise<TelemetryStore>
  keep: Keep
  now: () => Date
  log?: Pick<FastifyBaseLogger, 'warn'>
  /** Values come in crowds: what they change is computed once after them. */
  waitMs: number
}

/** Pending work of a device. */
type State = {
  /** By path: the oldest and newest time of values that are not computed with yet. */
  fresh: Map<Target, { since: number; until: number }>
  /** By formula: from when on its results are old. */
  dirty: Map<Computed, number>
  until: number
}

/** Clocks jump: what waits is looked at that often at least. */
const longestPause = 60_000

/**
 * Computes paths with windows when a step is over, by this server's clock, out of what is stored;
 * a value that comes late has its step and those after it computed again.
 */
export function createFormulaWindows({ store, keep, now, log, waitMs }: Options) {
  const states = new Map<Device, State>()
  let timer: NodeJS.Timeout | undefined
  let wakesAt = Infinity
  let working = Promise.resolve()
  let closed = false

  const wakeIn = (ms: number) => {
    const at = performance.now() + ms
    if (closed || at >= wakesAt) return
    clearTimeout(timer)
    wakesAt = at
    timer = setTimeout(() => void run(), ms).unref()
  }

  const run = () => {
    clearTimeout(timer)
    wakesAt = Infinity
    working = working.then(work)
    return working
  }

  const work = async () => {
    let pause = longestPause
    for (const [device, state] of states) {
      try {
        pause = Math.min(pause, await computeDue(await store(), device, { state, keep, now }))
      } catch (error) {
        log?.warn({ err: error, device: device.id }, 'formulas with windows were not computed')
        // Too many values stay too many; what was away may come back.
        if (error instanceof StepTooLarge) state.dirty.clear()
      }
      if (state.fresh.size === 0 && state.dirty.size === 0) states.delete(device)
    }
    if (states.size > 0) wakeIn(Math.max(waitMs, pause))
  }

  const note = (device: Device, targets: Iterable<Target>, t: number) => {
    const state = states.get(device) ?? { fresh: new Map(), dirty: new Map(), until: -Infinity }
    states.set(device, state)
    for (const target of targets) {
      const { since = t, until = t } = state.fresh.get(target) ?? {}
      state.fresh.set(target, { since: Math.min(since, t), until: Math.max(until, t) })
    }
    wakeIn(waitMs)
  }

  return {
    /** Takes note of a value that is being stored. */
    arrived(target: Target, t: number, durable: Promise<void>) {
      const { device } = target
      if (!device.formulas?.windowInputs.has(target)) return
      // The sender of a value that could not be stored gets the error there.
      durable.then(
        () => note(device, [target], t),
        () => undefined,
      )
    },
    /** Everything of the device from `since` on may have changed. */
    again(device: Device, since: number) {
      const inputs = device.formulas?.windowInputs
      if (inputs && inputs.size > 0) note(device, inputs, since)
    },
    /** Compute what is over; the rest is found again after a start. */
    async close() {
      await run()
      closed = true
      clearTimeout(timer)
    },
  }
}

type Due = { state: State; keep: Keep; now: () => Date }

/** Compute what is over; answers in how many ms there is more. */
async function computeDue(telemetry: TelemetryStore, device: Device, { state, keep, now }: Due) {
  const { formulas } = device
  if (!formulas) {
    state.fresh.clear()
    state.dirty.clear()
    return longestPause
  }
  await findStaleFormulas(telemetry, device, state)
  const at = now().getTime()
  // What was computed, and from when on.
  const changed = new Map<Target, number>()
  for (const computed of formulas.windowed) {
    const upstream = computed.inputs.flatMap((input) => (input && changed.get(input.target)) ?? [])
    const since = Math.min(...upstream, state.dirty.get(computed) ?? Infinity)
    if (since === Infinity) continue
    if (!isWindowed(computed)) {
      await computeAgain(telemetry, device, { computed, since, keep })
      changed.set(computed.target, since)
      continue
    }
    const to = overBefore(computed.windows, at)
    const first = firstChanged(computed.windows, since)
    if (first >= to) {
      state.dirty.set(computed, since)
      continue
    }
    const newest = await computeWindows(telemetry, device, { computed, since, to, keep })
    const known = formulas.newest.get(computed.target)
    if (newest && newest.t >= (known?.t ?? -Infinity)) formulas.newest.set(computed.target, newest)
    changed.set(computed.target, first)
    if (state.until >= to) state.dirty.set(computed, to)
    else state.dirty.delete(computed)
  }
  return nextDue(state, at)
}

/** Finds the formulas whose results the new values make old, at first also values from before this process. */
async function findStaleFormulas(telemetry: TelemetryStore, device: Device, state: State) {
  const { formulas } = device
  if (!formulas) return
  const fresh = new Map(state.fresh)
  state.fresh.clear()
  // A preset that was changed meanwhile has other formulas.
  for (const computed of state.dirty.keys()) {
    if (!formulas.windowRoots.has(computed)) state.dirty.delete(computed)
  }
  for (const { until } of fresh.values()) state.until = Math.max(state.until, until)
  const old = (computed: Computed, since: number | undefined) => {
    if (since === undefined) return
    state.dirty.set(computed, Math.min(since, state.dirty.get(computed) ?? Infinity))
  }
  for (const [computed, roots] of formulas.windowRoots) {
    for (const [target, { since }] of fresh) if (roots.has(target)) old(computed, since)
  }
  if (formulas.caughtUp) return
  for (const computed of formulas.windowRoots.keys()) {
    if (isWindowed(computed)) old(computed, await notComputedSince(telemetry, device, computed))
  }
  formulas.caughtUp = true
}

function nextDue({ dirty, fresh }: State, at: number) {
  if (fresh.size > 0) return 0
  const ends = [...dirty].flatMap(([computed, since]) => {
    const span = computed.windows && outerSpan(computed.windows)
    return span ? [stepAt(span, since).end - at] : []
  })
  return Math.min(longestPause, ...ends)
}
