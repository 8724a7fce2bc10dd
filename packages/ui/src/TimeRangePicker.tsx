import { ActionIcon, Button } from '@mantine/core'
import {
  IconCalendarTime,
  IconChevronLeft,
  IconChevronRight,
  IconZoomOut,
} from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { Hint } from './Hint.tsx'
import { late } from './late.tsx'
import {
  endsNow,
  type QuickRange,
  shiftWindow,
  type TimeRange,
  type TimeWindow,
  widerWindow,
} from './time-range.ts'
import { rangeTexts } from './time-range-texts.ts'
import './TimeRangePicker.css'
import { useWords } from './use-words.ts'

const TimeRangeBox = late(() => import('./TimeRangeBox.tsx'), 'TimeRangeBox')

type Props = {
  value: TimeRange
  /** Start and end of the range at this moment. */
  window: TimeWindow
  zone: string
  onChange: (range: TimeRange) => void
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
  <Hint text={label}>
    <ActionIcon
      variant="default"
      size={30}
      aria-label={label}
      onClick={onClick}
      disabled={disabled}
    >
      {children}
    </ActionIcon>
  </Hint>
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
  const [opened, setOpened] = useState<boolean>() // undefined until the first time
  const button = useRef<HTMLButtonElement>(null)
  const close = () => {
    setOpened(false)
    button.current?.focus()
  }
  const choose = (range: TimeRange) => {
    close()
    onChange(range)
  }
  const exact = intl.formatDateTimeRange(window.from, window.to, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: zone,
  })
  return (
    <>
      <Hint text={opened ? undefined : `${exact} · ${zone}`}>
        <Button
          ref={button}
          className="time-range-text"
          variant="default"
          leftSection={<IconCalendarTime size={16} />}
          aria-haspopup="dialog"
          aria-expanded={opened === true}
          onClick={() => setOpened(!opened)}
        >
          {typeof value === 'string' ? t(rangeTexts[value]) : exact}
        </Button>
      </Hint>
      {opened !== undefined && (
        <TimeRangeBox
          {...{ value, window, zone, opened }}
          button={button}
          onChoose={choose}
          onClose={close}
        />
      )}
    </>
  )
}
