import { parseRange, type TimeRange } from '@longreach/ui/time-range'
import { parseResolution, type Resolution } from '../../lib/resolution.ts'
import type { Search } from '../../lib/section.ts'
import { zoneFrom } from '../../lib/time-zone.ts'
import { all, one } from '../../lib/use-search.ts'

/** A line of the explorer as it stands in the address. */
export type Line = {
  device: string
  path: string
  axis: 'left' | 'right'
  hidden: boolean
  /** Number of the colour, from 0. */
  color: number
}
/** More lines than this cannot be told apart. */
export const mostLines = 16

/** Lines from the address: `<device>/<path>;right;hidden;c3`. What does not read as one is left out. */
export function parseLines(texts: readonly string[]): Line[] {
  const lines = texts.flatMap((text, index) => {
    const [place = '', ...options] = text.split(';')
    const cut = place.indexOf('/')
    if (cut < 1 || cut === place.length - 1) return []
    const color = Number(options.find((option) => /^c\d$/.test(option))?.slice(1) ?? index)
    return [
      {
        device: place.slice(0, cut),
        path: place.slice(cut + 1),
        axis: options.includes('right') ? ('right' as const) : ('left' as const),
        hidden: options.includes('hidden'),
        color: color % 8,
      },
    ]
  })
  const keys = lines.map(lineKey)
  return lines.filter((line, index) => keys.indexOf(lineKey(line)) === index).slice(0, mostLines)
}

/** The address's text of a line; the inverse of `parseLines`. */
export const lineText = ({ device, path, axis, hidden, color }: Line) =>
  [
    `${device}/${path}`,
    ...(axis === 'right' ? ['right'] : []),
    ...(hidden ? ['hidden'] : []),
    `c${color}`,
  ].join(';')

export const lineKey = ({ device, path }: Pick<Line, 'device' | 'path'>) => `${device}/${path}`

/** The lines with one more at the end, in the first colour that none has, or without it when it is there. */
export function toggled(lines: readonly Line[], added: Pick<Line, 'device' | 'path'>): Line[] {
  const key = lineKey(added)
  if (lines.some((line) => lineKey(line) === key))
    return lines.filter((line) => lineKey(line) !== key)
  if (lines.length >= mostLines) return [...lines]
  const used = new Set(lines.map(({ color }) => color))
  const free = [0, 1, 2, 3, 4, 5, 6, 7].find((color) => !used.has(color))
  const line: Line = { ...added, axis: 'left', hidden: false, color: free ?? lines.length % 8 }
  return [...lines, line]
}

/** What the address says about the explorer. */
export type ExploreState = {
  lines: Line[]
  range: TimeRange
  zone: string
  resolution: Resolution | 'auto'
  tab: string | undefined
}

/** Reads the explorer's state from the address; the last hour where it says nothing. */
export const exploreState = (search: Search): ExploreState => ({
  lines: parseLines(all(search['s'])),
  range: parseRange(one(search['range']) ?? '') ?? '1h',
  zone: zoneFrom(one(search['zone'])),
  resolution: parseResolution(one(search['res'])),
  tab: one(search['tab']),
})
