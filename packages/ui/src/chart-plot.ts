import uPlot from 'uplot'
import { canvasColors, watchScheme } from './chart-colors.ts'
import { alignColumns, type ChartSeries } from './chart-data.ts'
import { type ChartActions, chartOptions } from './chart-options.ts'
import type { ChartSetting } from './chart-setting.ts'

/** What a chart shows, apart from the colours that the page gives it. */
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

/** What a uPlot is made of; it cannot change afterwards. */
const shapeOf = ({ zone, locale, series, syncKey, axisWidth }: ChartContent) =>
  JSON.stringify([
    zone,
    locale,
    syncKey,
    axisWidth,
    series.map(({ id, color, axis, step, kind, dashed, hidden, states, low }) => [
      id,
      color,
      axis,
      step,
      kind,
      dashed,
      hidden,
      states,
      low !== undefined,
    ]),
  ])

const sameData = (before: readonly ChartSeries[], after: readonly ChartSeries[]) =>
  before.every((one, index) => {
    const other = after[index]
    return (
      one.times === other?.times &&
      one.values === other.values &&
      one.low === other.low &&
      one.high === other.high
    )
  })

function dataOf(series: readonly ChartSeries[]): uPlot.AlignedData {
  const { times, columns } = alignColumns(
    series.map(({ times: at, values, low, high }) => ({
      times: at,
      columns: low && high ? [values, high, low] : [values],
    })),
  )
  return [times, ...columns] as uPlot.AlignedData // uPlot reads by index and length alone
}
