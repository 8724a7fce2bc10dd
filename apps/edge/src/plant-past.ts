import { gridMs, type Machine, type Readings, readMachine, stepOnce } from './plant-machine.ts'
import { isMeasured } from './plant-plan.ts'

export type PastSample = [number, number | boolean]
export type Slice = Map<string, PastSample[]>

const [minuteMs, dayMs] = [60_000, 86_400_000]
/** Resolution of switches and set-points of earlier days, as fine as a chart of weeks can show. */
const [seldomMs, seldomBeforeMs] = [600_000, 3 * dayMs]

type Span = { to: number; sliceMs: number }

/**
 * Measurements until `to`, in slices: changing values each minute; switches and set-points of
 * earlier days when they change, and every ten minutes. Times without readings are left out.
 */
export function* pastOf<State>(machine: Machine<State>, { to, sliceMs }: Span): Generator<Slice> {
  let slice: Slice = new Map()
  let last: Shown | undefined
  while (machine.at < to) {
    stepOnce(machine, gridMs)
    const { at } = machine
    const isLast = at + gridMs > to
    if (at % minuteMs === 0 || isLast) {
      const shown = isMeasured(machine.plan, at)
        ? { at, readings: readMachine(machine, at) }
        : undefined
      const isSparse = !isLast && at % seldomMs !== 0 && at <= to - seldomBeforeMs
      addAll(slice, shown, { last, isSparse })
      last = shown
    }
    if (at % sliceMs === 0 || isLast) {
      yield slice
      slice = new Map()
    }
  }
}

type Shown = { at: number; readings: Readings }
/** Values of a minute before, if any, and whether unchanged ones may be left out. */
type Beside = { last: Shown | undefined; isSparse: boolean }

function addAll(slice: Slice, shown: Shown | undefined, { last, isSparse }: Beside) {
  if (!shown) return
  for (const [path, value] of Object.entries(shown.readings)) {
    const samples = slice.get(path) ?? []
    slice.set(path, samples)
    const before = last?.readings[path]
    if (isSparse && last && before !== undefined && isSteady(path, value)) {
      if (value === before) continue
      // The earlier value is repeated here, since a line chart would otherwise draw a slope.
      if (samples.at(-1)?.[0] !== last.at) samples.push([last.at, before])
    }
    samples.push([shown.at, value])
  }
}

const isSteady = (path: string, value: number | boolean) =>
  typeof value === 'boolean' || /setPoint$/i.test(path)
