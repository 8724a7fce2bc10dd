import { Button, Popover, TextInput } from '@mantine/core'
import { type RefObject, useState } from 'react'
import { fieldText, instantOfField } from '@longreach/calendar/wall-time'
import { Anchor } from './Anchor.tsx'
import { quickRanges, type TimeRange, type TimeWindow } from './time-range.ts'
import { rangeTexts } from './time-range-texts.ts'
import { useWords } from './use-words.ts'

type Props = {
  value: TimeRange
  window: TimeWindow
  zone: string
  opened: boolean
  /** Button below which the box is shown. */
  button: RefObject<HTMLButtonElement | null>
  onChoose: (range: TimeRange) => void
  onClose: () => void
}

/** Box of the `TimeRangePicker` with its quick ranges and two times; it loads when it is opened. */
export function TimeRangeBox({ value, window, zone, opened, button, onChoose, onClose }: Props) {
  const t = useWords()
  return (
    <Popover opened={opened} onChange={onClose} position="bottom-start" trapFocus>
      <Popover.Target>
        <Anchor to={button} />
      </Popover.Target>
      <Popover.Dropdown className="time-range-box" aria-label={t('charts.range')}>
        <div className="time-range-quick">
          {quickRanges.map((quick) => (
            <button
              key={quick}
              type="button"
              aria-pressed={value === quick}
              onClick={() => onChoose(quick)}
            >
              {t(rangeTexts[quick])}
            </button>
          ))}
        </div>
        <Between window={window} zone={zone} onChange={onChoose} />
      </Popover.Dropdown>
    </Popover>
  )
}

type BetweenProps = Pick<Props, 'window' | 'zone'> & { onChange: (range: TimeRange) => void }
function Between({ window, zone, onChange }: BetweenProps) {
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
