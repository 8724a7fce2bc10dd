import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { endsNow, rangeText, type TimeRange } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Button, Select } from '@mantine/core'
import { IconPlayerPause, IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { LiveBadge } from '../../parts/live/LiveBadge.tsx'
import { bucketSizesMs, resolutionText } from '../../parts/history/resolution.ts'
import { knownZones } from '../../parts/look/time-zone.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import classes from './ExploreBar.module.css'
import { comparisons, type ExploreState, pointFigures, splits } from './explore-url.ts'
import { type Explored, storedBudget } from './use-explored.ts'
import { useLengthText } from './use-length-text.ts'

type Props = { state: ExploreState; explored: Explored; onRange: (range: TimeRange) => void }

/** Bar with the period, the resolution and the comparison of the charts. */
export function ExploreBar({ state, explored, onRange }: Props) {
  const t = useWords()
  const [, change] = useSearch()
  const { range, zone } = state
  const choice = (key: string, value: string | null, usual: string) =>
    void change({ [key]: value === usual ? undefined : (value ?? undefined) })
  return (
    <div className={classes.bar}>
      <TimeRangePicker value={range} window={explored.window} zone={zone} onChange={onRange} />
      <FollowButton state={state} explored={explored} />
      <LiveBadge historical={!endsNow(range)} />
      <ResolutionNote state={state} explored={explored} />
      <span className={classes.barRow}>
        <ResolutionSelect state={state} explored={explored} />
        <Select
          label={t('data-explore.split')}
          classNames={labelled}
          allowDeselect={false}
          value={state.split}
          data={splits.map((value) => ({ value, label: t(splitWords[value]) }))}
          onChange={(value) => choice('split', value, 'none')}
        />
        <Select
          label={t('data-explore.compare')}
          classNames={labelled}
          allowDeselect={false}
          value={state.comparison}
          data={comparisons.map((value) => ({ value, label: t(comparisonWords[value]) }))}
          onChange={(value) => choice('compare', value, 'none')}
        />
        <ZoneSelect zone={zone} />
      </span>
    </div>
  )
}

/** The label stands before its field. */
const labelled = {
  root: classes.choice ?? '',
  label: classes.choiceLabel ?? '',
  wrapper: classes.choiceField ?? '',
}

const splitWords = {
  none: 'data-explore.oneChart',
  unit: 'data-explore.byUnit',
  series: 'data-explore.byLine',
} as const
const comparisonWords = {
  none: 'data-explore.compareNone',
  day: 'data-explore.compareDay',
  week: 'data-explore.compareWeek',
  window: 'data-explore.compareWindow',
} as const
const figureWords = {
  average: 'data-explore.mean',
  timeWeightedAverage: 'data-explore.weighted',
  median: 'data-explore.p50',
  p95: 'data-explore.p95',
  delta: 'data-explore.delta',
  min: 'data-explore.min',
  max: 'data-explore.max',
  first: 'data-explore.first',
  last: 'data-explore.last',
  sum: 'data-explore.sum',
  count: 'data-explore.count',
} as const

/** Holds the chart still, and lets it follow the clock again. */
function FollowButton({ state, explored }: Pick<Props, 'state' | 'explored'>) {
  const t = useWords()
  const [, change] = useSearch()
  const { range, paused } = state
  if (endsNow(range))
    return (
      <Button
        variant="default"
        leftSection={<IconPlayerPause size={15} />}
        onClick={() => void change({ range: rangeText(explored.window), paused: rangeText(range) })}
      >
        {t('data-explore.pause')}
      </Button>
    )
  if (paused === undefined) return null
  return (
    <Button
      leftSection={<IconPlayerPlay size={15} />}
      onClick={() => void change({ range: rangeText(paused), paused: undefined })}
    >
      {t('data-explore.follow')}
    </Button>
  )
}

/** Note of the stretch of time that a point stands for, or why it is not the chosen one. */
function ResolutionNote({ state, explored }: Pick<Props, 'state' | 'explored'>) {
  const t = useWords()
  const { formatNumber } = useIntl()
  const lengthText = useLengthText()
  const { resolution: asked, figure } = state
  const { resolution: used, stored } = explored
  const shown =
    used === 'raw'
      ? t('data-explore.everyStored')
      : t('data-explore.onePoint', { length: lengthText(used), figure: t(figureWords[figure]) })
  const tooMany = asked === 'raw' && stored !== undefined && stored > storedBudget
  const refused = tooMany || (asked !== 'auto' && asked !== 'raw' && asked !== used)
  const why = tooMany
    ? t('data-explore.tooManyStored', {
        stored: formatNumber(stored),
        most: formatNumber(storedBudget),
        shown,
      })
    : t('data-explore.tooMany', { shown })
  return (
    <output className={classes.note} data-refused={refused || undefined}>
      {refused ? why : shown}
    </output>
  )
}

function ResolutionSelect({ state, explored }: Pick<Props, 'state' | 'explored'>) {
  const t = useWords()
  const lengthText = useLengthText()
  const [, change] = useSearch()
  const { resolution: asked, figure } = state
  return (
    <>
      <Select
        label={t('data-explore.resolution')}
        classNames={labelled}
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
      <Select
        label={t('data-explore.figure')}
        classNames={labelled}
        allowDeselect={false}
        disabled={explored.resolution === 'raw'}
        value={figure}
        data={pointFigures.map((value) => ({ value, label: t(figureWords[value]) }))}
        onChange={(value) =>
          void change({ of: value === 'average' ? undefined : (value ?? undefined) })
        }
      />
    </>
  )
}

function ZoneSelect({ zone }: { zone: string }) {
  const t = useWords()
  const [, change] = useSearch()
  const [zones] = useState(knownZones)
  return (
    <Select
      label={t('data-explore.zone')}
      classNames={labelled}
      searchable
      limit={60}
      allowDeselect={false}
      value={zone}
      data={zones.includes(zone) ? zones : [zone, ...zones]}
      onChange={(value) => void change({ zone: value ?? undefined })}
    />
  )
}
