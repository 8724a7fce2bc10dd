import { plainPlan, type PlantPlan } from './plant-plan.ts'

/** Measurements, by the paths of the machine's model. */
export type Readings = Record<string, number | boolean>

/** Kind of machine: its initial state, its next state, and its measurements. */
export type Physics<State> = {
  create(plan: PlantPlan, t: number): State
  /** Advances the state by `seconds`, to `t`. */
  step(state: State, plan: PlantPlan, t: number, seconds: number): void
  read(state: State, plan: PlantPlan, t: number): Readings
}

/** State of a machine at a time. */
type Moment<State> = { at: number; state: State }
export type Machine<State> = Moment<State> & { physics: Physics<State>; plan: PlantPlan }

/** Step of long simulations; times of the past are multiples of it. */
export const gridMs = 30_000
const fineMs = 1_000
const nearMs = 90_000

export const onGrid = (t: number) => Math.floor(t / gridMs) * gridMs

export function machineAt<State>(
  physics: Physics<State>,
  plan: PlantPlan,
  at: number,
): Machine<State> {
  return { physics, plan, at, state: physics.create(plan, at) }
}

/** Machine that always works and has no incidents, from now on. */
export const plainMachine = <State>(physics: Physics<State>, seed: number) =>
  machineAt(physics, plainPlan(seed), Date.now())

/** Advances the time: in long steps at first, in seconds for the last minute. */
export function advance<State>(machine: Machine<State>, to: number) {
  while (to - machine.at > nearMs) stepOnce(machine, gridMs)
  while (to - machine.at >= fineMs) stepOnce(machine, fineMs)
}

export function stepOnce<State>(machine: Machine<State>, ms: number) {
  machine.at += ms
  machine.physics.step(machine.state, machine.plan, machine.at, ms / 1_000)
}

export const readMachine = <State>({ physics, plan, state }: Machine<State>, t: number) =>
  physics.read(state, plan, t)

/** Clock that runs `speed` times as fast as the real one, from now on. */
export function fastClock(speed: number) {
  const began = Date.now()
  return () => began + (Date.now() - began) * speed
}
