import { late } from '@longreach/ui/late'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { rangeText, type TimeRange } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import classes from './ExplorePanel.module.css'
import { ExploreBar } from './ExploreBar.tsx'
import { ExploreTable } from './ExploreTable.tsx'
import type { FormulaLine } from './explore-formulas.ts'
import type { ExploreState, Line } from './explore-url.ts'
import { LineCards } from './LineCards.tsx'
import { StatisticsTable } from './StatisticsTable.tsx'
import type { Explored } from './use-explored.ts'

const ExploreCharts = late(() => import('./ExploreCharts.tsx'), 'ExploreCharts')

const tabs = ['chart', 'table', 'statistics'] as const
const tabWords = {
  chart: 'data-explore.chart',
  table: 'data-explore.table',
  statistics: 'data-explore.statistics',
} as const

type PanelProps = {
  state: ExploreState
  explored: Explored
  onLines: (lines: readonly Line[]) => void
  onFormulas: (formulas: readonly FormulaLine[]) => void
}

/** Charts, table and figures of the chosen values, and their cards. */
export function ExplorePanel({ state, explored, onLines, onFormulas }: PanelProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [, change] = useSearch()
  const { series, window, history } = explored
  const setRange = (range: TimeRange) => void change({ range: rangeText(range) }, { push: true })
  const tab = tabs.find((name) => name === state.tab) ?? 'chart'
  return (
    <>
      <ExploreBar state={state} explored={explored} onRange={setRange} />
      <Tabs
        value={tab}
        keepMounted={false}
        onChange={(next) =>
          void change({ tab: next === 'chart' ? undefined : (next ?? undefined) })
        }
      >
        <Tabs.List>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(tabWords[name])}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        {history.error && (
          <ErrorPanel {...errorText(history.error)} onRetry={() => void history.refetch()} />
        )}
        <div className={classes.progress} data-on={history.isFetching || undefined} />
        <Tabs.Panel value={tab} className={classes.tab}>
          {tab === 'chart' && (
            <ExploreCharts state={state} explored={explored} onRange={setRange} />
          )}
          {tab === 'table' && <ExploreTable series={series} window={window} zone={state.zone} />}
          {tab === 'statistics' && <StatisticsTable state={state} explored={explored} />}
        </Tabs.Panel>
        <LineCards {...{ state, explored, onLines, onFormulas }} />
      </Tabs>
    </>
  )
}
