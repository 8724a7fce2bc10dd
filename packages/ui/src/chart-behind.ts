import type uPlot from 'uplot'
import type { ChartSetting } from './chart-setting.ts'
import { clockChanges } from './time-range.ts'

const dayMs = 86_400_000
/** In a longer window an hour is narrower than its mark. */
const marksUpTo = 45 * dayMs
const font = '10px Inter Variable, system-ui, sans-serif'

/** Draws the shapes behind the lines: times without a connection, and changes of the zone's clock. */
export function drawBehind(plot: uPlot, { shades, window, zone, colorOf }: ChartSetting) {
  const { ctx, bbox } = plot
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  ctx.fillStyle = colorOf('var(--chart-shade)')
  for (const { from, to } of shades) {
    const [left, right] = [plot.valToPos(from, 'x', true), plot.valToPos(to, 'x', true)]
    ctx.fillRect(left, bbox.top, right - left, bbox.height)
  }
  if (window.to - window.from < marksUpTo) {
    ctx.strokeStyle = colorOf('var(--chart-text)')
    ctx.fillStyle = colorOf('var(--chart-text)')
    ctx.font = font.replace('10px', `${Math.round(10 * devicePixelRatio)}px`)
    ctx.textBaseline = 'top'
    ctx.setLineDash([2, 4])
    for (const { at, hours } of clockChanges(window, zone)) {
      const left = Math.round(plot.valToPos(at, 'x', true)) + 0.5
      ctx.beginPath()
      ctx.moveTo(left, bbox.top)
      ctx.lineTo(left, bbox.top + bbox.height)
      ctx.stroke()
      ctx.fillText(dayLength(hours), left + 4, bbox.top + 3)
    }
  }
  ctx.restore()
}

/** Length of a day on which the clock is changed by so many hours: `23 h` where one is skipped. */
const dayLength = (hours: number) => `${24 - hours} h`
