import { z } from 'zod'
import { goesOn } from './plant-random.ts'

/** Something that happens to a machine once, from one time to another. */
export const Incident = z.object({
  kind: z.enum([
    /** A heater stays on whatever its controller wants: `part` is the zone, from 0. */
    'stuckHeater',
    /** The conveyor stands. */
    'stopped',
    /** A bearing runs dry: `part` is the pump, from 0. */
    'dryBearing',
    /** No electricity: nothing works, nothing is measured. */
    'unpowered',
    /** The line to the platform is lost; values are kept and sent afterwards. */
    'offline',
  ]),
  from: z.number(),
  to: z.number(),
  part: z.int().default(0),
})
export type Incident = z.output<typeof Incident>

/** All about a simulated machine that is not physics. The same plan gives the same values at the same time. */
export const PlantPlan = z.object({
  seed: z.int(),
  /** How much later its day is than others', in ms; absent: it works all the time. */
  laterMs: z.number().optional(),
  link: z.enum(['steady', 'poor']).default('steady'),
  incidents: z.array(Incident).default([]),
})
export type PlantPlan = z.output<typeof PlantPlan>

/** A plan of a machine that works all the time and to which nothing happens. */
export const plainPlan = (seed: number): PlantPlan => ({ seed, link: 'steady', incidents: [] })

export const incidentAt = ({ incidents }: PlantPlan, kind: Incident['kind'], t: number) =>
  incidents.find((one) => one.kind === kind && t >= one.from && t < one.to)

/** Of a poor link: it is lost once in 45 minutes, for two to nine. */
const poor = { slotMs: 2_700_000, chance: 1, shortestMs: 120_000, longestMs: 540_000 }

const isDropped = ({ link, seed }: PlantPlan, t: number) =>
  link === 'poor' && goesOn(seed + 77, t, poor)

/** Whether the machine's agent can reach the platform at this time. */
export const isLinked = (plan: PlantPlan, t: number): boolean =>
  isMeasured(plan, t) && !incidentAt(plan, 'offline', t)

/** Whether values are read at this time: over a poor link the agent itself is away with its line. */
export const isMeasured = (plan: PlantPlan, t: number): boolean =>
  !isDropped(plan, t) && !incidentAt(plan, 'unpowered', t)

const linkStepMs = 30_000

/** When the link came and went between two times: `[ms, linked]`, the first of them at `from`. */
export function linkChanges(plan: PlantPlan, from: number, to: number): [number, boolean][] {
  const changes: [number, boolean][] = []
  for (let t = from; t <= to; t += linkStepMs) {
    const linked = isLinked(plan, t)
    if (changes.at(-1)?.[1] !== linked) changes.push([t, linked])
  }
  return changes
}
