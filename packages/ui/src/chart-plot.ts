import uPlot from 'uplot'
import { canvasColors, watchScheme } from './chart-colors.ts'
import { alignColumns, type ChartSeries } from './chart-data.ts'
import { isDoubtful, partedByGrade } from './chart-grades.ts'
import { drawnPoints } from './chart-held.ts'
import { type ChartActions, chartOptions } from './chart-options.ts'
import type { ChartSetting } from './chart-setting.ts'

/** Content of a chart, without the colours that the page gives it. */
export type ChartContent = Omit<ChartSetting, 'colorOf'>

/**
 * A chart drawn into an element until `destroy`. `update` feeds it; only a change of its lines
 * (not of their values) draws it anew.
 */
export class ChartPlot {
  readonly #element: HTMLElement
  readonly #actions: ChartActions
  readonly #colors: ReturnType<typeof canvasColors>
  readonly #ends: (() => void)[]
  #content: ChartContent
  #height: number
  #plot: uPlot

  constructor(element: HTMLElement, content: ChartContent, actions: ChartActions) {
    this.#element = element
    this.#content = content
    this.#actions = actions
    this.#height = element.clientHeight
    this.#colors = canvasColors(element)
    this.#plot = this.#make()
    const resized = new ResizeObserver(() => this.#resize())
    resized.observe(element)
    const unwatch = watchScheme(() => {
      this.#colors.forget()
      this.#plot.redraw(false, true)
    })
    this.#ends = [() => resized.disconnect(), unwatch]
  }

  update(content: ChartContent) {
    const before = this.#content
    if (before === content) return
    this.#content = content
    if (shapeOf(before) !== shapeOf(content)) {
      this.#plot.destroy()
      this.#plot = this.#make()
      return
    }
    if (sameData(before.series, content.series)) {
      // Only the window or what lies behind is another: nothing is aligned anew.
      this.#plot.setScale('x', { min: content.window.from, max: content.window.to })
      this.#plot.redraw(true, true)
      return
    }
    this.#plot.setData(dataOf(content.series))
  }

  /** Puts the cross-hair at `at` (ms since 1970). */
  pointAt(at: number) {
    this.#plot.setCursor({ left: this.#plot.valToPos(at, 'x'), top: 10 })
  }

  destroy() {
    for (const end of this.#ends) end()
    this.#plot.destroy()
    this.#element.replaceChildren()
  }

  #make() {
    const { zone } = this.#content
    const setting = (): ChartSetting => ({ ...this.#content, colorOf: this.#colors.colorOf })
    const options = chartOptions(setting, this.#actions, this.#size())
    options.tzDate = (at) => uPlot.tzDate(new Date(at), zone === 'UTC' ? 'Etc/UTC' : zone)
    return new uPlot(options, dataOf(this.#content.series), this.#element)
  }

  #size() {
    return { width: Math.max(60, this.#element.clientWidth), height: Math.max(60, this.#height) }
  }

  #resize() {
    const { clientWidth, clientHeight } = this.#element
    if (clientWidth === 0) return // hidden: it comes back with its size
    this.#height = clientHeight
    this.#plot.setSize(this.#size())
  }
}

/** Facts that a uPlot is created with; it cannot change them afterwards. */
const shapeOf = ({ zone, locale, series, syncKey, axisWidth, axisName }: ChartContent) =>
  JSON.stringify([
    zone,
    locale,
    syncKey,
    axisWidth,
    axisName,
    series.map((one) => {
      const { id, color, axis, step, kind, dashed, hidden, states, low } = one
      const drawn = [low !== undefined, isDoubtful(one)]
      return [id, color, axis, step, kind, dashed, hidden, states, ...drawn]
    }),
  ])

const sameData = (before: readonly ChartSeries[], after: readonly ChartSeries[]) =>
  before.every((one, index) => {
    const other = after[index]
    if (!other) return false
    return (
      drawnKeys.every((key) => one[key] === other[key]) &&
      heldKeys.every((key) => one.held?.[key] === other.held?.[key])
    )
  })
const drawnKeys = ['times', 'values', 'low', 'high', 'grades', 'until'] as const
const heldKeys = ['from', 'to', 'value'] as const

function dataOf(series: readonly ChartSeries[]): uPlot.AlignedData {
  const { times, columns } = alignColumns(
    series.map((one) => {
      const { times: at, values, low, high, grades } = drawnPoints(one)
      const parted =
        grades && isDoubtful(one) ? partedByGrade({ ...one, values, grades }) : undefined
      return {
        times: at,
        columns: [
          parted?.good ?? values,
          ...(low && high ? [high, low] : []),
          ...(parted ? [parted.doubtful] : []),
        ],
      }
    }),
  )
  return [times, ...columns] as uPlot.AlignedData // uPlot reads by index and length alone
}
