import { z } from 'zod'
import { type Machine, machineAt, onGrid } from './plant-machine.ts'
import { type Oven, ovenPhysics } from './plant-oven-physics.ts'
import { PlantPlan } from './plant-plan.ts'
import { type Station, stationPhysics } from './plant-pumps-physics.ts'

/** Of the demo's machines, what they are: an oven line, a pump station, or the computer itself. */
const Kind = z.enum(['oven', 'pumps', 'gateway'])

export const PlannedMachine = z.object({
  name: z.string(),
  kind: Kind,
  activationKey: z.string(),
  /** The agent's folder. */
  dataDir: z.string(),
  pollMs: z.int().default(500),
  plan: PlantPlan,
})
export type PlannedMachine = z.output<typeof PlannedMachine>

/** What the program of the demo's plant is told. */
export const DemoPlan = z.object({
  endpoint: z.string(),
  /** Where the plant keeps how its machines are. */
  dataDir: z.string(),
  /** When the demo was made: until then its past is written, from then on its machines are read. */
  began: z.number(),
  machines: z.array(PlannedMachine),
})
export type DemoPlan = z.output<typeof DemoPlan>

const pastDays = 30
const dayMs = 86_400_000

/** When the machines of a demo that was made at this time were switched on. */
export const switchedOn = (began: number) => onGrid(began - pastDays * dayMs)

export const newOven = (plan: PlantPlan, began: number): Machine<Oven> =>
  machineAt(ovenPhysics, plan, switchedOn(began))

export const newStation = (plan: PlantPlan, began: number): Machine<Station> =>
  machineAt(stationPhysics, plan, switchedOn(began))
