import type { ChartSeries } from '@longreach/ui/chart-data'
import { chartColors } from '@longreach/ui/series-colors'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { keepPreviousData, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useMemo } from 'react'
import { fetchFormula, type FormulaHistory } from './formula-history.ts'
import { holdsTo } from '../../parts/history/held.ts'
import { type Figure, type Source, sourceKey } from '../../parts/history/history.ts'
import { useReach } from '../../parts/session/reach.ts'
import { isCalendar, type Resolution } from '../../parts/history/resolution.ts'
import { silenced, silencesOf } from '../../parts/history/silences.ts'
import { askedWindow } from '../../parts/history/use-history.ts'
import { formulaKey, type FormulaLine, lettersOf } from './explore-formulas.ts'
import type { Line } from './explore-url.ts'

type FormulasAsked = {
  formulas: readonly FormulaLine[]
  lines: readonly Line[]
  sources: readonly Source[]
  window: TimeWindow
  resolution: Resolution
  figure: Figure
  zone: string
  following: boolean
  enabled: boolean
}
/** Result of a formula, or the reason for having none: letters that no line has, or the server's error. */
export type FormulaAnswer = {
  formula: FormulaLine
  /** The lines that it reads. */
  inputs: readonly Line[]
  unknown: readonly string[]
  data: FormulaHistory | undefined
  error: Error | null
}

/** Results of the formulas over the window. */
export function useFormulas(asked: FormulasAsked): FormulaAnswer[] {
  const { formulas, lines, sources, window, resolution, figure, following, enabled } = asked
  const org = useReach()
  const zone = isCalendar(resolution) ? asked.zone : 'UTC'
  const shape = { window: askedWindow(window, following), resolution, figure, zone }
  const read = useMemo(
    () =>
      formulas.map((formula) => {
        const letters = lettersOf(formula.text)
        const inputs = lines.filter(({ letter }) => letters.includes(letter))
        const unknown = letters.filter((one) => !lines.some(({ letter }) => letter === one))
        return { formula, inputs, unknown }
      }),
    [formulas, lines],
  )
  const results = useQueries({
    queries: read.map(({ formula: { text }, inputs, unknown }) => {
      const named = inputs.flatMap((line) => {
        const source = sources.find((one) => sourceKey(one) === sourceKey(line))
        return source ? [{ name: line.letter, source }] : []
      })
      const names = named.map(({ name, source }) => [name, sourceKey(source)])
      return {
        queryKey: ['formula', org, text, names, shape],
        queryFn: ({ signal }: { signal: AbortSignal }) =>
          fetchFormula(org, { text, inputs: named }, shape, signal),
        enabled: enabled && unknown.length === 0 && named.length > 0,
        placeholderData: keepPreviousData<FormulaHistory>,
        staleTime: following ? 5_000 : 60_000,
        refetchInterval: following ? refreshMs(resolution) : (false as const),
      }
    }),
    combine: answersOf,
  })
  return useMemo(
    () =>
      read.map((one, index) => ({
        ...one,
        data: one.unknown.length === 0 ? results[index]?.data : undefined,
        error: results[index]?.error ?? null,
      })),
    [read, results],
  )
}

const refreshMs = (resolution: Resolution) =>
  Math.min(60_000, Math.max(5_000, resolution === 'raw' ? 0 : resolution))
const answersOf = (results: UseQueryResult<FormulaHistory>[]) =>
  results.map(({ data, error }) => ({ data, error }))

type Drawing = Pick<FormulasAsked, 'resolution' | 'sources' | 'window'> & {
  /** The lines as they are drawn, in the order of the sources. */
  drawn: readonly ChartSeries[]
  awayBy: ReadonlyMap<string, TimeWindow[]>
}

/** Formulas as lines of the chart; where one of its inputs says nothing, a formula says nothing either. */
export function useFormulaSeries(answers: readonly FormulaAnswer[], drawing: Drawing) {
  const t = useWords()
  const { resolution, sources, window, drawn, awayBy } = drawing
  const switched = useMemo(() => [t('live.off'), t('live.on')], [t])
  return useMemo(
    () =>
      answers.map(({ formula, inputs, data }): ChartSeries => {
        const silences = inputs.flatMap((line) => {
          const index = sources.findIndex((one) => sourceKey(one) === sourceKey(line))
          const [source, one] = [sources[index], drawn[index]]
          if (!source || !one) return []
          const away = awayBy.get(line.device) ?? []
          const last = one.times[one.times.length - 1] ?? -Infinity
          return silencesOf(
            one,
            holdsTo(last, { source, resolution, away, window: endless(window) }),
          )
        })
        return seriesOf(formula, data ?? emptyFormulaHistory, { silences, switched })
      }),
    [answers, resolution, sources, window, drawn, awayBy, switched],
  )
}

const emptyFormulaHistory: FormulaHistory = { times: [], values: [], type: 'double' }

type Beside = { silences: readonly TimeWindow[]; switched: readonly string[] }

function seriesOf(formula: FormulaLine, data: FormulaHistory, beside: Beside): ChartSeries {
  const { times, values, grades, type } = data
  const states = type === 'boolean' ? beside.switched : data.states
  return {
    id: formulaKey(formula),
    name: formula.name || formula.text,
    color: chartColors[formula.color] ?? 'var(--chart-1)',
    axis: formula.axis,
    hidden: formula.hidden,
    kind: states ? 'step' : formula.kind,
    times,
    values: silenced({ times, values }, beside.silences),
    ...(grades && { grades }),
    ...(states && { step: true, states }),
    ...(formula.unit !== '' && { unit: formula.unit }),
  }
}

/** A line that goes on with now ends nowhere. */
const endless = ({ from }: TimeWindow): TimeWindow => ({ from, to: Infinity })
