import { Panel } from '@longreach/ui/PageHeader'
import { parseRange, rangeText, type TimeRange } from '@longreach/ui/time-range'
import { TimeRangePicker } from '@longreach/ui/TimeRangePicker'
import { useWords, type MessageId } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconMessagePlus } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { AuditTab } from '../../../parts/audit/AuditTab.tsx'
import { useLook } from '../../../parts/look/look.ts'
import { useMay } from '../../../parts/session/session.ts'
import { useWindow } from '../../../parts/history/use-history.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import type { Row } from '../device-rows.ts'
import { ChangedDuring } from './ChangedDuring.tsx'
import { CommentForm } from './CommentForm.tsx'
import { ConnectionTab } from './ConnectionTab.tsx'
import classes from './device-page.module.css'
import { isGroup, type MomentGroup, momentGroups } from './moment-text.ts'
import { Moments } from './Moments.tsx'

const groups = Object.keys(momentGroups) as MomentGroup[] // its keys are these
const groupWords: Record<MomentGroup, MessageId> = {
  comment: 'device-page.group.comment',
  connection: 'device-page.group.connection',
  configuration: 'device-page.group.configuration',
  write: 'device-page.group.write',
  life: 'device-page.group.life',
}

/** Everything that happened to the device in one list, newest first; one kind alone is shown in depth. */
export function HistoryTab({ device }: { device: Row }) {
  const t = useWords()
  const [search, change] = useSearch()
  const may = useMay()('audit:access')
  const kinds = (one(search['kind']) ?? '').split(',')
  const audit = may && kinds.includes('audit')
  const shown = audit ? [] : kinds.filter(isGroup)
  const filters = (
    <div className={classes.bar}>
      <KindChips
        shown={shown}
        onChange={(next) => void change({ kind: next.join(',') })}
        {...(may && {
          audit,
          onAudit: () => void change({ kind: audit ? '' : 'audit' }),
        })}
      />
    </div>
  )
  if (audit)
    return (
      <Panel title={t('devices.tab.history')}>
        {filters}
        <AuditTab resource="devices" id={device.deviceId} />
      </Panel>
    )
  if (shown.length === 1 && shown[0] === 'connection')
    return (
      <div className={classes.stack}>
        <Panel title={t('devices.tab.history')}>{filters}</Panel>
        <ConnectionTab device={device} />
      </div>
    )
  return <MomentsPage device={device} shown={shown} filters={filters} />
}

type PageProps = { device: Row; shown: readonly MomentGroup[]; filters: ReactNode }

/** The moments of a time, a field for comments, and which values changed meanwhile. */
function MomentsPage({ device, shown, filters }: PageProps) {
  const t = useWords()
  const { zone } = useLook()
  const [search, change] = useSearch()
  const [writing, setWriting] = useState(false)
  const range = parseRange(one(search['range']) ?? '')
  const window = useWindow(range ?? '24h', zone)
  const choose = (next: TimeRange | undefined) =>
    void change({ range: next && rangeText(next) }, { push: true })
  return (
    <div className={classes.columns}>
      <Panel
        title={t('devices.tab.history')}
        beside={
          <Button
            variant="default"
            leftSection={<IconMessagePlus size={15} />}
            onClick={() => setWriting(!writing)}
            aria-expanded={writing}
          >
            {t('device-page.comment.add')}
          </Button>
        }
      >
        <div className={classes.bar}>
          <TimeRangePicker value={range ?? '24h'} window={window} zone={zone} onChange={choose} />
          {range && (
            <Button variant="subtle" onClick={() => choose(undefined)}>
              {t('device-page.allTimes')}
            </Button>
          )}
        </div>
        {filters}
        {writing && (
          <CommentForm
            deviceId={device.deviceId}
            at={range ? window.from : undefined}
            until={range && typeof range !== 'string' ? window.to : undefined}
            zone={zone}
            onClose={() => setWriting(false)}
          />
        )}
        <Moments device={device} kinds={shown} window={range && window} onRange={choose} />
      </Panel>
      <ChangedDuring device={device} window={window} />
    </div>
  )
}

type ChipsProps = {
  shown: readonly MomentGroup[]
  onChange: (kinds: MomentGroup[]) => void
  audit?: boolean
  /** Absent for who may not see the audit log. */
  onAudit?: () => void
}

function KindChips({ shown, onChange, audit = false, onAudit }: ChipsProps) {
  const t = useWords()
  const toggle = (group: MomentGroup) =>
    onChange(groups.filter((one) => (one === group) !== shown.includes(one)))
  return (
    <div className={classes.chips} role="group" aria-label={t('device-page.kinds')}>
      {groups.map((group) => (
        <button
          key={group}
          type="button"
          className={classes.chip}
          aria-pressed={shown.includes(group)}
          onClick={() => toggle(group)}
        >
          {t(groupWords[group])}
        </button>
      ))}
      {onAudit && (
        <button type="button" className={classes.chip} aria-pressed={audit} onClick={onAudit}>
          {t('devices.tab.audit')}
        </button>
      )}
    </div>
  )
}
