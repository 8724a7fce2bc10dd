import { gridMs, type Machine, type Readings, readMachine, stepOnce } from './plant-machine.ts'
import { isMeasured } from './plant-plan.ts'

export type PastSample = [number, number | boolean]
export type Slice = Map<string, PastSample[]>

const [minuteMs, hourMs] = [60_000, 3_600_000]

type Span = { to: number; sliceMs: number }

/**
 * What the machine's instruments showed from its time until `to`, in slices: what moves each minute,
 * switches and set-points when they change and each hour. What nobody could read is not there.
 */
export function* pastOf<State>(machine: Machine<State>, { to, sliceMs }: Span): Generator<Slice> {
  let slice: Slice = new Map()
  let last: { at: number; readings: Readings } | undefined
  while (machine.at < to) {
    stepOnce(machine, gridMs)
    const { at } = machine
    const isLast = at + gridMs > to
    if (at % minuteMs === 0 || isLast) {
      const isThere = isMeasured(machine.plan, at)
      const readings = isThere ? readMachine(machine, at) : {}
      const dueAll = isLast || !last
      for (const [path, value] of Object.entries(readings)) {
        addSample(slice, { path, at, value, dueAll, before: last?.readings[path], then: last?.at })
      }
      last = isThere ? { at, readings } : undefined
    }
    if (at % sliceMs === 0 || isLast) {
      yield slice
      slice = new Map()
    }
  }
}

type Shown = {
  path: string
  at: number
  value: number | boolean
  /** What was shown before, and when; absent after a time without values. */
  before: number | boolean | undefined
  then: number | undefined
  dueAll: boolean
}

function addSample(slice: Slice, { path, at, value, before, then, dueAll }: Shown) {
  const samples = slice.get(path) ?? []
  slice.set(path, samples)
  if (isSteady(path, value) && !dueAll) {
    if (value === before && at % hourMs !== 0) return
    // The value before stands until here, or a line would lead slowly from the one to the other.
    const isNew = value !== before && samples.at(-1)?.[0] !== then
    if (isNew && before !== undefined && then !== undefined) samples.push([then, before])
  }
  samples.push([at, value])
}

const isSteady = (path: string, value: number | boolean) =>
  typeof value === 'boolean' || /setPoint$/i.test(path)
