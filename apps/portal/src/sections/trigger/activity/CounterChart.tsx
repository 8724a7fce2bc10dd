import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { chartColors } from '@longreach/ui/series-colors'
import { useNow } from '@longreach/ui/RelativeTime'
import { TimeChart } from '@longreach/ui/TimeChart'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { query } from '../../../parts/api/api.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { type Trigger, useTriggerOrganization } from '../trigger-calls.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { columnsOf, rangeOf, ranges } from './counter-columns.ts'

const chartHeight = 200

/** Firings, runs and throttled firings of a trigger over a day, a week or a month. */
export function CounterChart({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const errorText = useErrorText()
  const [search, change] = useSearch()
  const range = rangeOf(one(search['range']))
  const window = useCounterWindow(range.lengthMs, range.stepMs)
  const { data, error, refetch } = useQuery({
    ...query(triggersApi.counters, {
      params: { id: trigger.id },
      query: {
        ...useTriggerOrganization(),
        dateFrom: window.from,
        dateTo: window.to,
        step: range.step,
        pageSize: 10_000,
      },
    }),
    placeholderData: keepPreviousData,
  })
  const columns = useMemo(
    () => columnsOf(data?.content ?? [], window, range.stepMs),
    [data, window, range],
  )
  const series = (['fired', 'ran', 'throttled'] as const).map((name) => ({
    id: name,
    name: t(`trigger-runs.counter.${name}`),
    color: colors[name],
    kind: kinds[name],
    times: columns.times,
    values: columns[name],
    total: columns[name].reduce((sum, count) => sum + count, 0),
  }))
  return (
    <Panel
      title={t('trigger-runs.counters')}
      beside={
        <SegmentedControl
          size="xs"
          aria-label={t('trigger-runs.range')}
          data={ranges.map(({ name }) => ({
            value: name,
            label: t(`trigger-runs.rangeOf.${name}`),
          }))}
          value={range.name}
          onChange={(next) => void change({ range: next === 'day' ? undefined : next })}
        />
      }
    >
      {error ? (
        <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
      ) : (
        <TimeChart
          label={t('trigger-runs.counters')}
          series={series}
          window={window}
          zone={usualZone()}
          height={chartHeight}
          tip
          pending={data === undefined}
        />
      )}
    </Panel>
  )
}

// Runs stand in the bars of what fired; throttled ones are a line, so that neither hides the other.
const kinds = { fired: 'bar', ran: 'bar', throttled: 'step' } as const

const colors = {
  fired: 'var(--lr-off)',
  ran: chartColors[0] ?? 'var(--chart-1)',
  throttled: 'var(--lr-warning)',
}

/** Time until the end of the step that runs, so that the window moves only with the steps. */
function useCounterWindow(lengthMs: number, stepMs: number) {
  const to = Math.ceil((useNow() + 1) / stepMs) * stepMs
  return useMemo(() => ({ from: to - lengthMs, to }), [to, lengthMs])
}
