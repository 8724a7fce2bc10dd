import { indexAt } from './chart-data.ts'

type Props = {
  times: ArrayLike<number>
  values: ArrayLike<number | null>
  width?: number
  height?: number
  color?: string
  /** The value holds until the next one. */
  step?: boolean
  /** Description for screen readers; without it the line is a decoration. */
  label?: string
}

/** A small line without axes that shows how a value went. Gaps stay gaps. */
export function Sparkline(props: Props) {
  const { width = 56, height = 18, color = 'var(--chart-1)', label } = props
  return (
    <svg
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path
        d={linePath({ ...props, width, height })}
        fill="none"
        stroke={color}
        strokeWidth={1.5}
        strokeLinejoin="round"
        strokeLinecap="round"
      />
    </svg>
  )
}

/** The SVG path of a line that fills the box; a line that never moves runs through the middle. */
function linePath({ times, values, width = 56, height = 18, step = false }: Props) {
  const known = Array.from({ length: times.length }, (_, index) => index).filter(
    (index) => values[index] !== null && values[index] !== undefined,
  )
  const numbers = known.map((index) => values[index] ?? 0)
  const [low, high] = [Math.min(...numbers), Math.max(...numbers)]
  const [from, to] = [times[0] ?? 0, times[times.length - 1] ?? 0]
  const x = (at: number) => 1 + ((at - from) / (to - from || 1)) * (width - 2)
  const y = (value: number) =>
    high === low ? height / 2 : height - 2 - ((value - low) / (high - low)) * (height - 4)
  let before: number | undefined
  return known
    .map((index) => {
      const [left, top] = [x(times[index] ?? 0).toFixed(1), y(values[index] ?? 0).toFixed(1)]
      const joined = before === index - 1
      before = index
      if (!joined) return `M${left} ${top}h.01`
      return step ? `H${left}V${top}` : `L${left} ${top}`
    })
    .join('')
}

/** At most `most` points of a line, evenly taken, for a sparkline of a long history. */
export function thinned<T>(times: ArrayLike<number>, values: ArrayLike<T>, most: number) {
  if (times.length <= most) return { times: Array.from(times), values: Array.from(values) }
  const [first, last] = [times[0] ?? 0, times[times.length - 1] ?? 0]
  const picks = Array.from({ length: most }, (_, step) =>
    Math.max(0, indexAt(times, first + ((last - first) * step) / (most - 1))),
  )
  const indexes = [...new Set(picks)]
  return {
    times: indexes.map((index) => times[index] ?? 0),
    values: indexes.map((index) => values[index] as T), // every index is below the length
  }
}
