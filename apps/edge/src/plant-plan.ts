import { z } from 'zod'
import { goesOn } from './plant-random.ts'

/** Incident of a machine, from one time to another. */
export const Incident = z.object({
  kind: z.enum([
    /** Heater that cannot be switched off: `part` is the zone, from 0. */
    'stuckHeater',
    /** Conveyor that has stopped. */
    'stopped',
    /** Dry bearing: `part` is the pump, from 0. */
    'dryBearing',
    /** Power cut: nothing works, nothing is measured. */
    'unpowered',
    /** Lost connection to the platform; values are stored and sent afterwards. */
    'offline',
  ]),
  from: z.number(),
  to: z.number(),
  part: z.int().default(0),
})
export type Incident = z.output<typeof Incident>

/**
 * Plan of a simulated machine: everything but physics. The same plan gives the same values at the
 * same time.
 */
export const PlantPlan = z.object({
  seed: z.int(),
  /** Delay of its day in ms; absent: it works all the time. */
  laterMs: z.number().optional(),
  link: z.enum(['steady', 'poor']).default('steady'),
  incidents: z.array(Incident).default([]),
})
export type PlantPlan = z.output<typeof PlantPlan>

/** Plan of a machine that always works and has no incidents. */
export const plainPlan = (seed: number): PlantPlan => ({ seed, link: 'steady', incidents: [] })

export const incidentAt = ({ incidents }: PlantPlan, kind: Incident['kind'], t: number) =>
  incidents.find((one) => one.kind === kind && t >= one.from && t < one.to)

/** Poor connection: lost once in 45 minutes, for two to nine. */
const poor = { slotMs: 2_700_000, chance: 1, shortestMs: 120_000, longestMs: 540_000 }

const isDropped = ({ link, seed }: PlantPlan, t: number) =>
  link === 'poor' && goesOn(seed + 77, t, poor)

/** True when the machine's agent can reach the platform at this time. */
export const isLinked = (plan: PlantPlan, t: number): boolean =>
  isMeasured(plan, t) && !incidentAt(plan, 'offline', t)

/**
 * True when values are measured at this time; with a poor connection the agent is off together with
 * it.
 */
export const isMeasured = (plan: PlantPlan, t: number): boolean =>
  !isDropped(plan, t) && !incidentAt(plan, 'unpowered', t)

const linkStepMs = 30_000

/** Changes of the connection between two times: `[ms, linked]`, the first at `from`. */
export function linkChanges(plan: PlantPlan, from: number, to: number): [number, boolean][] {
  const changes: [number, boolean][] = []
  for (let t = from; t <= to; t += linkStepMs) {
    const linked = isLinked(plan, t)
    if (changes.at(-1)?.[1] !== linked) changes.push([t, linked])
  }
  return changes
}
