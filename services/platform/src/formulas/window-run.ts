import { evaluateRow } from '@longreach/formula/evaluate'
import type { Figure } from '@longreach/formula/figures'
import { FormulaHistory } from '@longreach/formula/history'
import type { Missing } from '@longreach/formula/missing'
import type { Formula } from '@longreach/formula/parse'
import type { FormulaValue } from '@longreach/formula/tree'
import { spanMs } from '@longreach/calendar/units'
import { type FormulaWindows, stepAt } from '@longreach/formula/windows'
import { valueOf } from '@longreach/formula/convert'
import type { Point } from '@longreach/telemetry/store'
import { type Collector, collectorOf, StepTooLarge } from '../queries/query-figures.ts'
import { mostMoving } from '../queries/query-formula.ts'

/** The values of a formula's variables at a time; `fresh` says which of them were measured then, `q` how good the worst is. */
type WindowRow = {
  t: number
  values: readonly FormulaValue[]
  fresh: readonly boolean[]
  q: number
}
type Asked = { formula: Formula; missing: Missing; windows: FormulaWindows }
type Stretch = { start: number; end: number }
type Open = Stretch & { collector: Collector; q: number }

/**
 * A formula with windows while the values of its inputs are played to it in order of time. What it
 * gives stands at the beginning of its step or stretch, and comes when that is over, as good as the
 * worst value that went into it. A step in which no input has a value has no result.
 */
export class WindowRun {
  private readonly asked: Asked
  private readonly history: FormulaHistory
  private step: (Stretch & { inputs: (Collector | undefined)[]; q: number }) | undefined
  /** By variable: the newest value, and what it was in its last step. */
  private readonly newest: (Point | undefined)[] = []
  private readonly figures: FormulaValue[] = []
  private stretch: Open | undefined
  private held: Point[] = []
  private last: Point | undefined

  constructor(asked: Asked) {
    this.asked = asked
    this.history = new FormulaHistory(asked.formula.reach)
  }

  /** A value from before the first row: it holds on. */
  before(index: number, t: number, v: FormulaValue) {
    this.newest[index] = { t, v, q: 0 }
    this.figures[index] = v
  }

  /** Take a row; answers what was over before it. */
  take(row: WindowRow): Point[] {
    const done = this.until(row.t)
    if (!this.asked.windows.sampling) return [...done, ...this.result(row)]
    this.step ??= { ...this.stepOf(row.t), inputs: [], q: 0 }
    this.step.q = Math.max(this.step.q, row.q)
    const { start, end, inputs } = this.step
    for (const [index, fresh] of row.fresh.entries()) {
      const v = row.values[index] ?? null
      if (!fresh || v === null) continue
      const before = this.newest[index]
      const figure = this.asked.windows.figure ?? usualFigure(v)
      inputs[index] ??= collectorOf(figure, { starts: [start], to: end }, { before })
      this.newest[index] = { t: row.t, v, q: 0 }
      inputs[index].add({ t: row.t, v, q: 0 })
    }
    return done
  }

  /** Results of steps and stretches that have ended at a time. */
  until(t: number): Point[] {
    const done: Point[] = []
    if (this.step && t >= this.step.end) done.push(...this.closeStep())
    if (this.stretch && t >= this.stretch.end) done.push(...this.closeStretch())
    return done
  }

  /** Steps are cut where a stretch ends. */
  private stepOf(t: number): Stretch {
    const { sampling, window } = this.asked.windows
    const step = stepAt(sampling ?? { size: 1, unit: 'milliseconds' }, t)
    if (window?.mode !== 'SCALAR') return step
    const { start, end } = stepAt(window.span, t)
    return { start: Math.max(step.start, start), end: Math.min(step.end, end) }
  }

  private closeStep(): Point[] {
    const { step } = this
    if (!step) return []
    this.step = undefined
    const { variables } = this.asked.formula
    const fresh = variables.map((_, index) => step.inputs[index] !== undefined)
    if (!fresh.includes(true)) return []
    const values = variables.map((_, index) => {
      const collector = step.inputs[index]
      if (!collector) return this.missing(index)
      const v = valueOf(onlyFigure(collector))
      this.figures[index] = v
      return v
    })
    return this.result({ t: step.start, values, fresh, q: step.q })
  }

  private missing(index: number): FormulaValue {
    const { fill, padding } = this.asked.missing
    if (fill === 'USE_NULL') return null
    if (fill === 'USE_ZERO') return 0
    return this.figures[index] ?? (padding.endsWith('ZERO') ? 0 : null)
  }

  /** The formula's value of a row, into the window where there is one. */
  private result({ t, values, fresh, q }: WindowRow): Point[] {
    const { formula, windows } = this.asked
    for (const [index, path] of formula.variables.entries()) {
      if (fresh[index]) this.history.add(path, t, values[index] ?? null)
    }
    const v = evaluateRow(formula, values, { t, history: this.history })
    if (v === null) return []
    const point = { t, v, q }
    if (!windows.window) return [point]
    const { mode, figure, span } = windows.window
    if (mode === 'MOVING') return this.moving(point, { figure, width: spanMs(span) })
    const done = this.stretch && t >= this.stretch.end ? this.closeStretch() : []
    this.stretch ??= this.openStretch(stepAt(span, t), figure)
    this.stretch.collector.add(point)
    this.stretch.q = Math.max(this.stretch.q, q)
    this.last = point
    return done
  }

  private openStretch({ start, end }: Stretch, figure: Figure): Open {
    const around = { before: this.last }
    return {
      start,
      end,
      collector: collectorOf(figure, { starts: [start], to: end }, around),
      q: 0,
    }
  }

  private closeStretch(): Point[] {
    const { stretch } = this
    this.stretch = undefined
    if (!stretch) return []
    return [{ t: stretch.start, v: onlyFigure(stretch.collector), q: stretch.q }]
  }

  private moving(point: Point, { figure, width }: { figure: Figure; width: number }): Point[] {
    const gone = this.held.findIndex(({ t }) => t > point.t - width)
    this.held = gone === -1 ? [] : this.held.slice(gone)
    // One time has one value.
    if (this.held.at(-1)?.t === point.t) this.held.pop()
    this.held.push(point)
    if (this.held.length > mostMoving) throw new StepTooLarge()
    const start = this.held[0]?.t ?? point.t
    const collector = collectorOf(figure, { starts: [start], to: Math.max(point.t, start + 1) }, {})
    for (const one of this.held) collector.add(one)
    const q = this.held.reduce((worst, one) => Math.max(worst, one.q), 0)
    return [{ t: point.t, v: onlyFigure(collector), q }]
  }
}

/** The figure of the only step of a collector. */
function onlyFigure(collector: Collector): Point['v'] {
  for (const { v } of collector.upTo(0, 1)) return v
  return null
}

/** Numbers are averaged, of others the last counts. */
const usualFigure = (v: FormulaValue): Figure => ({
  name: typeof v === 'number' ? 'average' : 'last',
})
