import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { PageHeader } from '@longreach/ui/PageHeader'
import { TimeChart } from '@longreach/ui/TimeChart'
import { TimeChartTable } from '@longreach/ui/TimeChartTable'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { endsNow, rangeText, type TimeRange, widerWindow } from '@longreach/ui/time-range'
import { useNarrow } from '@longreach/ui/use-narrow'
import { useWords } from '@longreach/ui/use-words'
import { Button, Drawer, Select, Tabs } from '@mantine/core'
import { useElementSize } from '@mantine/hooks'
import { IconListTree } from '@tabler/icons-react'
import { useState } from 'react'
import { useErrorText } from '../../lib/error-text.ts'
import { LiveBadge } from '../../lib/LiveBadge.tsx'
import { bucketSizesMs, resolutionText } from '../../lib/resolution.ts'
import { knownZones } from '../../lib/time-zone.ts'
import { useSearch } from '../../lib/use-search.ts'
import { ExportButton } from './ExportButton.tsx'
import { exploreState, lineText, type Line, toggled } from './explore-url.ts'
import classes from './data-explore.module.css'
import { SeriesCards } from './SeriesCards.tsx'
import { StatisticsTable } from './StatisticsTable.tsx'
import { TagTree } from './TagTree.tsx'
import { useExplored } from './use-explored.ts'
import { useLengthText } from './use-length-text.ts'

const tabs = ['chart', 'table', 'statistics'] as const
const tabWords = {
  chart: 'data-explore.chart',
  table: 'data-explore.table',
  statistics: 'data-explore.statistics',
}

/** Values of any devices over time, side by side; everything that is chosen stands in the address. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = exploreState(search)
  const setLines = (lines: readonly Line[]) => void change({ s: lines.map(lineText) })
  const choose = (device: string, path: string) => setLines(toggled(state.lines, { device, path }))
  return (
    <div className={classes.page}>
      <TreeSide lines={state.lines} onChoose={choose} />
      <div className={classes.main}>
        <PageHeader title={t('shell.section.data-explore')} help={t('data-explore.help')} />
        <Explored state={state} onLines={setLines} />
      </div>
    </div>
  )
}

type TreeProps = { lines: readonly Line[]; onChoose: (device: string, path: string) => void }

function TreeSide(props: TreeProps) {
  const t = useWords()
  const narrow = useNarrow()
  const [opened, setOpened] = useState(false)
  if (!narrow)
    return (
      <aside className={classes.side} aria-label={t('data-explore.tree')}>
        <TagTree {...props} />
      </aside>
    )
  return (
    <>
      <Button
        variant="default"
        leftSection={<IconListTree size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('data-explore.choose', { count: props.lines.length })}
      </Button>
      <Drawer
        opened={opened}
        onClose={() => setOpened(false)}
        size="100%"
        title={t('data-explore.tree')}
        closeButtonProps={{ 'aria-label': t('ui.close') }}
      >
        <TagTree {...props} />
      </Drawer>
    </>
  )
}

type ExploredProps = {
  state: ReturnType<typeof exploreState>
  onLines: (lines: readonly Line[]) => void
}

function Explored({ state, onLines }: ExploredProps) {
  const t = useWords()
  const errorText = useErrorText()
  const [, change] = useSearch()
  const { ref, width } = useElementSize()
  const { series, window, resolution, history, away } = useExplored(state, width || 900)
  const setRange = (range: TimeRange) => void change({ range: rangeText(range) }, { push: true })
  const tab = tabs.find((name) => name === state.tab) ?? 'chart'
  const { zone, range } = state
  return (
    <section className={classes.panel} ref={ref}>
      <div className={classes.bar}>
        <TimeRangePicker value={range} window={window} zone={zone} onChange={setRange} />
        <ResolutionSelect asked={state.resolution} used={resolution} />
        <ZoneSelect zone={zone} />
        <span className={classes.barEnd}>
          <LiveBadge historical={!endsNow(range)} />
          <ExportButton state={state} window={window} resolution={resolution} series={series} />
        </span>
      </div>
      {state.lines.length === 0 ? (
        <EmptyState
          kind="nothing"
          title={t('data-explore.nothing')}
          text={t('data-explore.nothingText')}
        />
      ) : (
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
              <TimeChart
                label={t('data-explore.chart')}
                series={series}
                window={window}
                zone={zone}
                height={380}
                shades={away}
                onZoom={setRange}
                onZoomOut={() => setRange(widerWindow(window, Date.now()))}
              />
            )}
            {tab === 'table' && (
              <TimeChartTable series={series} window={window} zone={zone} height={460} />
            )}
            {tab === 'statistics' && (
              <StatisticsTable series={series} window={window} zone={zone} />
            )}
          </Tabs.Panel>
          <SeriesCards lines={state.lines} series={series} window={window} onLines={onLines} />
        </Tabs>
      )}
    </section>
  )
}

type ResolutionProps = Pick<ExploredProps['state'], 'resolution'>

function ResolutionSelect({
  asked,
  used,
}: {
  asked: ResolutionProps['resolution']
  used: 'raw' | number
}) {
  const t = useWords()
  const lengthText = useLengthText()
  const [, change] = useSearch()
  const shown =
    used === 'raw'
      ? t('data-explore.raw')
      : t('data-explore.onePoint', { length: lengthText(used) })
  const refused = asked !== 'auto' && asked !== used
  return (
    <span className={classes.resolution}>
      <Select
        aria-label={t('data-explore.resolution')}
        allowDeselect={false}
        value={resolutionText(asked)}
        data={[
          { value: 'auto', label: t('data-explore.auto') },
          { value: 'raw', label: t('data-explore.raw') },
          ...bucketSizesMs.map((ms) => ({ value: resolutionText(ms), label: lengthText(ms) })),
        ]}
        onChange={(value) =>
          void change({ res: value === 'auto' ? undefined : (value ?? undefined) })
        }
      />
      <output className={classes.dim} data-refused={refused || undefined}>
        {refused ? t('data-explore.tooMany', { shown }) : shown}
      </output>
    </span>
  )
}

function ZoneSelect({ zone }: { zone: string }) {
  const t = useWords()
  const [, change] = useSearch()
  const [zones] = useState(knownZones)
  return (
    <Select
      className={classes.zone}
      aria-label={t('data-explore.zone')}
      searchable
      limit={60}
      allowDeselect={false}
      value={zone}
      data={zones.includes(zone) ? zones : [zone, ...zones]}
      onChange={(value) => void change({ zone: value ?? undefined })}
    />
  )
}
