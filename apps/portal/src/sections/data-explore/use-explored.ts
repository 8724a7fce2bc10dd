import type { ChartSeries } from '@longreach/ui/chart-data'
import { useNow } from '@longreach/ui/RelativeTime'
import { chartColors } from '@longreach/ui/series-colors'
import { endsNow, type TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { type Around, type Before, heldIn, holdsTo, withState } from '../../parts/history/held.ts'
import {
  broken,
  type Figure,
  firstTime,
  type History,
  type HistoryLine,
  joined,
  type Source,
  sourceKey,
} from '../../parts/history/history.ts'
import { awayOf } from '../../parts/history/connections.ts'
import { useLiveLines } from '../../parts/live/live.ts'
import { chooseResolution, type Resolution } from '../../parts/history/resolution.ts'
import { shortPath, type Tag } from '../../parts/devices/tags.ts'
import {
  askedWindow,
  useBefore,
  useHistory,
  usePresences,
  useWindow,
} from '../../parts/history/use-history.ts'
import { earlierWindow } from './explore-compare.ts'
import { type ExploreState, type Line, lineKey } from './explore-url.ts'
import { formulaKey, type FormulaLine } from './explore-formulas.ts'
import { type FormulaAnswer, useFormulas, useFormulaSeries } from './use-formulas.ts'
import { useKnown } from './use-known.ts'
import { useShownLines } from './use-shown-lines.ts'
import { useStoredCount } from './use-stored-count.ts'

/** More stored values than this, of all lines together, are not drawn one by one. */
export const storedBudget = 200_000
/** With more lines than this the bands of lowest and highest values only hide each other. */
const mostBands = 4

/** The lines of the explorer with everything to draw them, live at their end while the range ends now. */
export function useExplored(state: ExploreState, pixels: number) {
  const { lines, range, zone, figure, formulas } = state
  const window = useWindow(range, zone)
  const following = endsNow(range)
  const devices = useMemo(() => [...new Set(lines.map(({ device }) => device))], [lines])
  const known = useKnown(devices)
  const { sources, pending } = useSources(lines, known)
  const stored = useStoredCount(sources, window, state.resolution === 'raw' && !pending)
  const resolution = resolved(state, window, { pixels, count: stored })
  const shown = lines.filter(({ hidden }) => !hidden).length
  const shape = { resolution, figure, zone, band: shown <= mostBands }
  const ready = pending ? none : sources
  const history = useHistory(ready, window, { ...shape, following })
  const earlier = earlierWindow(window, state.comparison, zone)
  const past = useHistory(
    pending || !earlier ? none : sources.filter((_, index) => !lines[index]?.hidden),
    earlier ?? window,
    { ...shape, band: false, following },
  )
  const presences = usePresences(devices, window)
  const awayBy = useMemo(
    () => new Map([...presences].map(([device, spans]) => [device, awayOf(spans)])),
    [presences],
  )
  const trails = useLiveLines(sources, following && resolution === 'raw')
  const start = firstTime(askedWindow(window, following), resolution, zone)
  const before = useBefore(ready, start, holding.has(figure))
  const lined = useDrawn(
    { lines, sources, known, resolution, trails, awayBy, following, before, start, window },
    history.data,
  )
  const asked = { formulas, lines, sources, window, ...shape, following, enabled: !pending }
  const answers = useFormulas(asked)
  const computed = useFormulaSeries(answers, {
    resolution,
    sources,
    window,
    drawn: lined,
    awayBy,
  })
  const earlierFormulas = useFormulas({
    ...asked,
    window: earlier ?? window,
    formulas: earlier ? formulas : noFormulas,
  })
  const answered = useMemo(
    () => withFormulas(past.data, earlierFormulas),
    [past.data, earlierFormulas],
  )
  const shownLines = useShownLines(
    { measured: lined, computed, resolution, figure },
    { history: answered, window, earlier },
  )
  const [only] = devices
  const away = devices.length === 1 && only !== undefined ? awayBy.get(only) : undefined
  return {
    ...shownLines,
    /** The lines as the devices give them, without formulas. */
    measured: lined,
    window,
    resolution,
    stored,
    history,
    sources,
    devices,
    formulas: answers,
    labelOf: known.labelOf,
    presences,
    away: away ?? noShades,
    awayBy,
  }
}
export type Explored = ReturnType<typeof useExplored>

/** Figures of a bucket that also what only held can have. */
const holding = new Set<Figure>([
  'average',
  'timeWeightedAverage',
  'min',
  'max',
  'median',
  'p95',
  'first',
  'last',
])

/** The history of lines and of formulas, by the ids of their lines. */
const withFormulas = (lines: History | undefined, formulas: readonly FormulaAnswer[]): History =>
  new Map([
    ...(lines ?? []),
    ...formulas.flatMap(({ formula, data }) =>
      data ? [[formulaKey(formula), data] as const] : [],
    ),
  ])

const none: readonly Source[] = []
const noFormulas: readonly FormulaLine[] = []
const noShades: readonly TimeWindow[] = []
const emptyHistory: HistoryLine = { times: [], values: [] }

type Count = { pixels: number; count: number | undefined }

/** Resolution to ask for: the chosen one, but stored values only when they are few enough to be drawn. */
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
  before: ReadonlyMap<string, Before>
  /** Time at which the lines begin, in ms. */
  start: number
  window: TimeWindow
}

function useDrawn(drawing: Drawing, history: ReadonlyMap<string, HistoryLine> | undefined) {
  const t = useWords()
  const { lines, sources, known, resolution, trails, awayBy, following, before, start } = drawing
  const { version, trailOf } = trails
  const [off, on] = [t('live.off'), t('live.on')]
  // A window that follows the clock ends where the next question will begin.
  const minute = Math.floor(useNow() / 60_000) * 60_000
  const to = following
    ? askedWindow(drawing.window, true).to
    : Math.min(drawing.window.to, minute + 60_000)
  return useMemo(() => {
    const several = new Set(lines.map(({ device }) => device)).size > 1
    const live = following && resolution === 'raw' && version >= 0
    return lines.flatMap((line, index): ChartSeries[] => {
      const source = sources[index]
      if (!source) return []
      const held = before.get(sourceKey(line))
      const past = withState(history?.get(sourceKey(line)) ?? emptyHistory, held)
      const goesOn = live && source.type !== 'string'
      const whole = goesOn ? joined(past, trailOf(line.device, line.path)) : past
      const tag = known.tagOf(line)
      const away = awayBy.get(line.device) ?? []
      const around = { source, resolution, away, window: { from: start, to } }
      const looks = looksOf(line, source, { past, switched: [off, on] })
      const one = {
        ...broken(whole, source, resolution, away),
        id: lineKey(line),
        name: nameOf(line, tag, several ? known.labelOf(line.device) : undefined),
        color: chartColors[line.color] ?? 'var(--chart-1)',
        axis: line.axis,
        hidden: line.hidden,
        ...looks,
        ...(history && drawnBeside(whole, held, { ...around, step: looks.kind === 'step' })),
        ...(tag?.unit !== undefined && { unit: tag.unit }),
      }
      return [one]
    })
  }, [
    lines,
    sources,
    known,
    resolution,
    awayBy,
    following,
    version,
    trailOf,
    history,
    before,
    start,
    to,
    off,
    on,
  ])
}

/** Parts drawn beside a line's values: the value that held before them, and the end of a step line's last value. */
function drawnBeside(
  line: HistoryLine,
  before: Before | undefined,
  { step, ...around }: Around & { step: boolean },
) {
  const held = heldIn(line, before, around)
  const last = step ? line.times.at(-1) : undefined
  return {
    ...(held && { held }),
    ...(last !== undefined && { until: holdsTo(last, around) }),
  }
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
