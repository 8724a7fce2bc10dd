import { plainPlan, type PlantPlan } from './plant-plan.ts'

/** What instruments show, by the paths of the machine's model. */
export type Readings = Record<string, number | boolean>

/** A kind of machine: how it begins, how it goes on, and what can be read of it. */
export type Physics<State> = {
  create(plan: PlantPlan, t: number): State
  /** The state `seconds` later, at `t`. */
  step(state: State, plan: PlantPlan, t: number, seconds: number): void
  read(state: State, plan: PlantPlan, t: number): Readings
}

/** A machine of that kind at a time. */
type Moment<State> = { at: number; state: State }
export type Machine<State> = Moment<State> & { physics: Physics<State>; plan: PlantPlan }

/** Long stretches pass in steps of this; times of the past are multiples of it. */
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

/** A machine that works all the time and to which nothing happens, from now on. */
export const plainMachine = <State>(physics: Physics<State>, seed: number) =>
  machineAt(physics, plainPlan(seed), Date.now())

/** Let time pass: in long steps what is long ago, in seconds the last minute. */
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

/** A clock that runs `speed` times as fast as the real one, from now on. */
export function fastClock(speed: number) {
  const began = Date.now()
  return () => began + (Date.now() - began) * speed
}
