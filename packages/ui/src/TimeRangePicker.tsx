import { ActionIcon, Button, Popover, TextInput, Tooltip } from '@mantine/core'
import {
  IconCalendarTime,
  IconChevronLeft,
  IconChevronRight,
  IconZoomOut,
} from '@tabler/icons-react'
import { useState } from 'react'
import { useIntl } from 'react-intl'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import {
  endsNow,
  type QuickRange,
  quickRanges,
  shiftWindow,
  type TimeRange,
  type TimeWindow,
  widerWindow,
} from './time-range.ts'
import './TimeRangePicker.css'
import { useWords, type MessageId } from './use-words.ts'

type Props = {
  value: TimeRange
  /** Start and end of the range at this moment. */
  window: TimeWindow
  zone: string
  onChange: (range: TimeRange) => void
}

/** Message of each quick range. */
const texts: Record<QuickRange, MessageId> = {
  '5m': 'charts.last5m',
  '15m': 'charts.last15m',
  '1h': 'charts.last1h',
  '6h': 'charts.last6h',
  '24h': 'charts.last24h',
  '7d': 'charts.last7d',
  '30d': 'charts.last30d',
  '90d': 'charts.last90d',
  today: 'charts.today',
  yesterday: 'charts.yesterday',
  'this-week': 'charts.thisWeek',
  'this-month': 'charts.thisMonth',
}

/** The one way to choose a time: quick ranges, from and to, back and forth by the window's length, now. */
export function TimeRangePicker({ value, window, zone, onChange }: Props) {
  const t = useWords()
  const shift = (steps: number) => onChange(shiftWindow(window, steps, zone))
  return (
    <fieldset className="time-range" aria-label={t('charts.range')}>
      <Step label={t('charts.earlier')} onClick={() => shift(-1)}>
        <IconChevronLeft size={16} />
      </Step>
      <RangeButton value={value} window={window} zone={zone} onChange={onChange} />
      <Step label={t('charts.later')} onClick={() => shift(1)} disabled={endsNow(value)}>
        <IconChevronRight size={16} />
      </Step>
      <Step label={t('charts.zoomOut')} onClick={() => onChange(widerWindow(window, Date.now()))}>
        <IconZoomOut size={16} />
      </Step>
      <Button
        variant="default"
        disabled={endsNow(value)}
        onClick={() => onChange(nearestQuick(window))}
      >
        {t('charts.now')}
      </Button>
    </fieldset>
  )
}

type StepProps = {
  label: string
  onClick: () => void
  disabled?: boolean
  children: React.ReactNode
}
const Step = ({ label, onClick, disabled = false, children }: StepProps) => (
  <Tooltip label={label}>
    <ActionIcon
      variant="default"
      size={30}
      aria-label={label}
      onClick={onClick}
      disabled={disabled}
    >
      {children}
    </ActionIcon>
  </Tooltip>
)

/** The moving range whose length is nearest to the window's, for the way back to now. */
function nearestQuick({ from, to }: TimeWindow): QuickRange {
  const minutes = (to - from) / 60_000
  const lengths = {
    '5m': 5,
    '15m': 15,
    '1h': 60,
    '6h': 360,
    '24h': 1440,
    '7d': 10_080,
    '30d': 43_200,
    '90d': 129_600,
  }
  const distance = (length: number) => Math.abs(Math.log(length / minutes))
  const [best] = Object.entries(lengths).toSorted(([, a], [, b]) => distance(a) - distance(b))
  return (best?.[0] ?? '24h') as QuickRange // the keys above are quick ranges
}

function RangeButton({ value, window, zone, onChange }: Props) {
  const t = useWords()
  const intl = useIntl()
  const [opened, setOpened] = useState(false)
  const choose = (range: TimeRange) => {
    setOpened(false)
    onChange(range)
  }
  const exact = intl.formatDateTimeRange(window.from, window.to, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  })
  return (
    <Popover opened={opened} onChange={setOpened} position="bottom-start" trapFocus returnFocus>
      <Popover.Target>
        <Tooltip label={`${exact} · ${zone}`} disabled={opened}>
          <Button
            className="time-range-text"
            variant="default"
            leftSection={<IconCalendarTime size={16} />}
            aria-haspopup="dialog"
            aria-expanded={opened}
            onClick={() => setOpened(!opened)}
          >
            {typeof value === 'string' ? t(texts[value]) : exact}
          </Button>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown className="time-range-box" aria-label={t('charts.range')}>
        <div className="time-range-quick">
          {quickRanges.map((quick) => (
            <button
              key={quick}
              type="button"
              aria-pressed={value === quick}
              onClick={() => choose(quick)}
            >
              {t(texts[quick])}
            </button>
          ))}
        </div>
        <Between window={window} zone={zone} onChange={choose} />
      </Popover.Dropdown>
    </Popover>
  )
}

function Between({ window, zone, onChange }: Omit<Props, 'value'>) {
  const t = useWords()
  const [from, setFrom] = useState(fieldText(window.from, zone).slice(0, 16))
  const [to, setTo] = useState(fieldText(window.to, zone).slice(0, 16))
  const [start, end] = [instantOfField(from, zone), instantOfField(to, zone)]
  const problem =
    start !== undefined && end !== undefined && start >= end ? t('charts.endBeforeStart') : null
  return (
    <form
      className="time-range-between"
      onSubmit={(event) => {
        event.preventDefault()
        if (start !== undefined && end !== undefined && start < end)
          onChange({ from: start, to: end })
      }}
    >
      <TextInput
        type="datetime-local"
        label={t('charts.from')}
        value={from}
        onChange={(event) => setFrom(event.currentTarget.value)}
      />
      <TextInput
        type="datetime-local"
        label={t('charts.to')}
        value={to}
        error={problem}
        onChange={(event) => setTo(event.currentTarget.value)}
      />
      <p>{t('charts.zone', { zone })}</p>
      <Button type="submit" disabled={start === undefined || end === undefined || problem !== null}>
        {t('charts.apply')}
      </Button>
    </form>
  )
}
