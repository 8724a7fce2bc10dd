import { useWords } from '@longreach/ui/use-words'
import { severityName } from '../../parts/alarms/severity.ts'
import { SeverityShape } from '../../parts/alarms/SeverityMark.tsx'
import { IconChevronDown, IconChevronRight } from '@tabler/icons-react'
import classes from './GroupMarks.module.css'
import type { GroupedRow } from './flood-rows.ts'

type Props = { row: GroupedRow; onExpand: (deviceId: string) => void }

/** Marks of an alarm in the group of its device: that it came first, with a button for the others, or after which. */
export function GroupMarks({ row, onExpand }: Props) {
  const t = useWords()
  const { group, longreach, deviceId, deviceLabel } = row
  if (group === undefined) return null
  const after = longreach.firstOut !== null && (
    <span className={classes.after}>{t('alarm-sound.after', { first: longreach.firstOut })}</span>
  )
  if (!group.isFirst) return after || null
  const Icon = group.isExpanded ? IconChevronDown : IconChevronRight
  return (
    <>
      <span className={classes.first}>{t('alarm-sound.first')}</span>
      {after}
      <button
        type="button"
        className={classes.more}
        aria-expanded={group.isExpanded}
        title={t('alarm-sound.expand', { device: deviceLabel })}
        onClick={(event) => {
          // The row behind it would open.
          event.stopPropagation()
          onExpand(deviceId)
        }}
        onKeyDown={(event) => event.stopPropagation()}
      >
        <Icon size={13} stroke={2} aria-hidden />
        {t('alarm-sound.more', { count: group.others })}
        {group.worst > row.severity && <WorstMark severity={group.worst} />}
      </button>
    </>
  )
}

/** Shape of the worst severity among the alarms that are not shown. */
function WorstMark({ severity }: { severity: number }) {
  const t = useWords()
  const name = severityName(severity)
  const text = t(`alarm.severity.${name}`)
  return (
    <span role="img" aria-label={text} title={text} className={classes.worst}>
      <SeverityShape name={name} />
    </span>
  )
}
