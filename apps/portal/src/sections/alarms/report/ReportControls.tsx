import { rangeText } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Checkbox, SegmentedControl, Select, TextInput } from '@mantine/core'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useState } from 'react'
import { parseRange } from '@longreach/ui/time-range'
import { knownZones } from '../../../parts/look/time-zone.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { periods, readShifts, type ReportState, usualShifts } from './report-url.ts'
import classes from './report.module.css'
import { useWindowText } from './use-window-text.ts'

type Change = ReturnType<typeof useSearch>[1]
type Props = { state: ReportState; now: number; onChange: Change }

/** Time, shifts, zone and organizations of the report; each stands in the address. */
export function ReportControls({ state, now, onChange }: Props) {
  const t = useWords()
  return (
    <div className={classes.controls}>
      <SegmentedControl
        aria-label={t('alarm-report.period')}
        value={state.period}
        data={periods.map((name) => ({ value: name, label: t(`alarm-report.period.${name}`) }))}
        onChange={(period) => void onChange({ period })}
      />
      <Span state={state} now={now} onChange={onChange} />
      <ShiftField key={state.shifts.join()} shifts={state.shifts} onChange={onChange} />
      <Select
        label={t('alarm-report.zone')}
        className={classes.zone}
        data={knownZones()}
        value={state.zone}
        searchable
        allowDeselect={false}
        onChange={(zone) => void onChange({ zone: zone ?? undefined })}
      />
      <Checkbox
        className={classes.below}
        label={t('alarm-report.below')}
        checked={state.below}
        onChange={(event) =>
          void onChange({ below: event.currentTarget.checked ? undefined : 'false' })
        }
      />
    </div>
  )
}

/** Time of the report, with the ways to the periods before and after. */
function Span({ state, now, onChange }: Props) {
  const t = useWords()
  const [search] = useSearch()
  const windowText = useWindowText()(state)
  const { beside, window, zone } = state
  if (beside === undefined) {
    return (
      <TimeRangePicker
        value={parseRange(one(search['time']) ?? '') ?? '7d'}
        window={window}
        zone={zone}
        onChange={(range) => void onChange({ time: rangeText(range) })}
      />
    )
  }
  return (
    <div className={classes.span}>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('alarm-report.earlier')}
        onClick={() => void onChange({ at: beside.earlier })}
      >
        <IconChevronLeft size={16} />
      </ActionIcon>
      <span className={classes.spanText} aria-live="polite">
        {windowText}
      </span>
      <ActionIcon
        variant="default"
        size={30}
        aria-label={t('alarm-report.later')}
        disabled={window.to > now}
        onClick={() => void onChange({ at: beside.later })}
      >
        <IconChevronRight size={16} />
      </ActionIcon>
    </div>
  )
}

/** Begins of shifts, taken when the field is left or by Enter. */
function ShiftField({ shifts, onChange }: { shifts: readonly string[]; onChange: Change }) {
  const t = useWords()
  const [text, setText] = useState(shifts.join(', '))
  const [isWrong, setWrong] = useState(false)
  const take = () => {
    const read = readShifts(text)
    setWrong(read === undefined)
    if (read === undefined) return
    const isUsual = read.join() === usualShifts.join()
    if (read.join() === shifts.join()) setText(shifts.join(', '))
    else void onChange({ shifts: isUsual ? undefined : read.join(',') })
  }
  return (
    <TextInput
      label={t('alarm-report.shiftTimes')}
      className={classes.shiftField}
      value={text}
      error={isWrong && t('alarm-report.shiftsWrong')}
      onChange={(event) => setText(event.currentTarget.value)}
      onBlur={take}
      onKeyDown={(event) => event.key === 'Enter' && take()}
    />
  )
}
