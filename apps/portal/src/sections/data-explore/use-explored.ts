import type { ChartSeries } from '@longreach/ui/chart-data'
import { chartColors } from '@longreach/ui/TimeChart'
import { endsNow, type TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { broken, type HistoryLine, joined, type Source, sourceKey } from '../../lib/history.ts'
import { useLiveLines } from '../../lib/live.ts'
import { chooseResolution, type Resolution } from '../../lib/resolution.ts'
import { shortPath, type Tag } from '../../lib/tags.ts'
import { useAway, useHistory, useWindow } from '../../lib/use-history.ts'
import { compared, earlierWindow } from './explore-compare.ts'
import { type ExploreState, type Line, lineKey } from './explore-url.ts'
import { useKnown } from './use-known.ts'
import { useStoredCount } from './use-stored-count.ts'

/** More stored values than this, of all lines together, are not drawn one by one. */
export const storedBudget = 200_000
/** With more lines than this the bands of lowest and highest values only hide each other. */
const mostBands = 4

/** The lines of the explorer with everything to draw them, live at their end while the range ends now. */
export function useExplored(state: ExploreState, pixels: number) {
  const { lines, range, zone, figure } = state
  const window = useWindow(range, zone)
  const following = endsNow(range)
  const devices = useMemo(() => [...new Set(lines.map(({ device }) => device))], [lines])
  const known = useKnown(devices)
  const { sources, pending } = useSources(lines, known)
  const stored = useStoredCount(sources, window, state.resolution === 'raw' && !pending)
  const resolution = resolved(state, window, { pixels, count: stored })
  const shown = lines.filter(({ hidden }) => !hidden).length
  const shape = { resolution, figure, band: shown <= mostBands }
  const history = useHistory(pending ? none : sources, window, { ...shape, following })
  const earlier = earlierWindow(window, state.comparison, zone)
  const past = useHistory(
    pending || !earlier ? none : sources.filter((_, index) => !lines[index]?.hidden),
    earlier ?? window,
    { ...shape, band: false, following },
  )
  const awayBy = useAway(devices, window)
  const trails = useLiveLines(sources, following && resolution === 'raw')
  const drawn = useDrawn(
    { lines, sources, known, resolution, trails, awayBy, following },
    history.data,
  )
  const before = useMemo(
    () => (earlier ? compared(drawn, past.data, window.from - earlier.from) : noSeries),
    [earlier, drawn, past.data, window.from],
  )
  const [only] = devices
  const away = devices.length === 1 && only !== undefined ? awayBy.get(only) : undefined
  return {
    series: drawn,
    before,
    window,
    resolution,
    stored,
    history,
    sources,
    devices,
    away: away ?? noShades,
    awayBy,
  }
}
export type Explored = ReturnType<typeof useExplored>

const none: readonly Source[] = []
const noShades: readonly TimeWindow[] = []
const noSeries: readonly ChartSeries[] = []
const nothing: HistoryLine = { times: [], values: [] }

type Count = { pixels: number; count: number | undefined }

/** What was asked for, and stored values only when they are few enough to be drawn. */
function resolved(
  { resolution: asked }: ExploreState,
  window: TimeWindow,
  { pixels, count }: Count,
): Resolution {
  if (asked !== 'raw') return chooseResolution(asked, window, { pixels })
  const few = count !== undefined && count <= storedBudget
  return few ? 'raw' : chooseResolution('auto', window, { pixels, storedMs: 0 })
}

type Known = ReturnType<typeof useKnown>

function useSources(lines: readonly Line[], known: Known) {
  const sources = useMemo(
    () =>
      lines.map((line): Source => {
        const { type = 'double', everyMs } = known.tagOf(line) ?? {}
        return { device: line.device, path: line.path, type, everyMs }
      }),
    [lines, known],
  )
  return { sources, pending: known.pending }
}

type Drawing = {
  lines: readonly Line[]
  sources: readonly Source[]
  known: Known
  resolution: Resolution
  trails: ReturnType<typeof useLiveLines>
  awayBy: ReadonlyMap<string, TimeWindow[]>
  following: boolean
}

function useDrawn(drawing: Drawing, history: ReadonlyMap<string, HistoryLine> | undefined) {
  const t = useWords()
  const { lines, sources, known, resolution, trails, awayBy, following } = drawing
  const { version, trailOf } = trails
  const [off, on] = [t('live.off'), t('live.on')]
  return useMemo(() => {
    const several = new Set(lines.map(({ device }) => device)).size > 1
    const live = following && resolution === 'raw' && version >= 0
    return lines.map((line, index): ChartSeries => {
      const source = sources[index] ?? { ...line, type: 'double' }
      const past = history?.get(sourceKey(line)) ?? nothing
      const whole =
        live && source.type !== 'string' ? joined(past, trailOf(line.device, line.path)) : past
      const tag = known.tagOf(line)
      return {
        ...broken(whole, source, resolution, awayBy.get(line.device) ?? []),
        id: lineKey(line),
        name: nameOf(line, tag, several ? known.labelOf(line.device) : undefined),
        color: chartColors[line.color] ?? 'var(--chart-1)',
        axis: line.axis,
        hidden: line.hidden,
        ...looksOf(line, source, { past, switched: [off, on] }),
        ...(tag?.unit !== undefined && { unit: tag.unit }),
      }
    })
  }, [lines, sources, known, resolution, awayBy, following, version, trailOf, history, off, on])
}

type Looks = { past: HistoryLine; switched: readonly string[] }

/** Switches are steps and texts are bands, whatever was chosen; numbers as chosen. */
function looksOf({ kind }: Line, { type }: Source, { past, switched }: Looks) {
  if (type === 'boolean') return { step: true, kind: 'step' as const, states: switched }
  if (type === 'string') return { step: true, kind: 'step' as const, states: past.states ?? [] }
  return { kind }
}

const nameOf = ({ path }: Line, tag: Tag | undefined, label: string | undefined) => {
  const name = tag?.name ?? shortPath(path)
  return label === undefined ? name : `${label} · ${name}`
}
