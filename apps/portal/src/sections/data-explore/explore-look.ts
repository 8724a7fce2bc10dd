import type { SeriesKind } from '@longreach/ui/chart-data'

export const kinds = ['line', 'area', 'bar', 'step'] as const

/** Appearance of a line in the charts. */
export type LineLook = {
  axis: 'left' | 'right'
  hidden: boolean
  /** Number of the colour, from 0. */
  color: number
  /** Kind of drawing; texts are always drawn as bands, switches always as steps. */
  kind: SeriesKind
}

/** Appearance of a line, from the options behind it in the address. */
export function parseLook(options: readonly string[], index: number): LineLook {
  const color = Number(options.find((option) => /^c\d$/.test(option))?.slice(1) ?? index)
  return {
    axis: options.includes('right') ? 'right' : 'left',
    hidden: options.includes('hidden'),
    color: color % 8,
    kind: kinds.find((kind) => options.includes(kind)) ?? 'line',
  }
}

/** The options of a line in the address; the inverse of `parseLook`. */
export const lookTexts = ({ axis, hidden, color, kind }: LineLook) => [
  ...(axis === 'right' ? ['right'] : []),
  ...(hidden ? ['hidden'] : []),
  ...(kind === 'line' ? [] : [kind]),
  `c${color}`,
]

/** The first colour that none has. */
export function freeColor(looks: readonly LineLook[]) {
  const used = new Set(looks.map(({ color }) => color))
  return [0, 1, 2, 3, 4, 5, 6, 7].find((color) => !used.has(color)) ?? looks.length % 8
}
