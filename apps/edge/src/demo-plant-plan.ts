import { z } from 'zod'
import { type Machine, machineAt, onGrid } from './plant-machine.ts'
import { type Oven, ovenPhysics } from './plant-oven-physics.ts'
import { PlantPlan } from './plant-plan.ts'
import { type Station, stationPhysics } from './plant-pumps-physics.ts'

/** Kinds of demo machines: an oven line, a pump station, or the computer itself. */
const Kind = z.enum(['oven', 'pumps', 'gateway'])

export const PlannedMachine = z.object({
  name: z.string(),
  kind: Kind,
  activationKey: z.string(),
  /** Data folder of the agent. */
  dataDir: z.string(),
  pollMs: z.int().default(500),
  plan: PlantPlan,
})
export type PlannedMachine = z.output<typeof PlannedMachine>

/** Input of the program that simulates the demo's machines. */
export const DemoPlan = z.object({
  endpoint: z.string(),
  /** Folder for the state of the machines. */
  dataDir: z.string(),
  /** Time at which the demo was made: its past ends and live values begin. */
  began: z.number(),
  machines: z.array(PlannedMachine),
})
export type DemoPlan = z.output<typeof DemoPlan>

const pastDays = 30
const dayMs = 86_400_000

/** Start of the simulated past, for a demo made at this time. */
export const switchedOn = (began: number) => onGrid(began - pastDays * dayMs)

export const newOven = (plan: PlantPlan, began: number): Machine<Oven> =>
  machineAt(ovenPhysics, plan, switchedOn(began))

export const newStation = (plan: PlantPlan, began: number): Machine<Station> =>
  machineAt(stationPhysics, plan, switchedOn(began))
