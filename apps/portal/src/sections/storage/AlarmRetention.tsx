import { ActionButton } from '@longreach/ui/ActionButton'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { late } from '@longreach/ui/late'
import { useState } from 'react'
import { alarmsApi } from '../../parts/alarms/alarm-calls.ts'
import { query } from '../../parts/api/api.ts'
import { useOrganizationNames } from '../../parts/organizations/organization-names.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import classes from './storage.module.css'

const AlarmRetentionDialog = late(
  () => import('./AlarmRetentionDialog.tsx'),
  'AlarmRetentionDialog',
)

/** Line with the days for which closed alarms are kept, and where that is set. */
export function AlarmRetention() {
  const t = useWords()
  const names = useOrganizationNames()
  const may = useMay()('organizations:update')
  const organization = useSession().organization.resourceId
  const { data } = useQuery(query(alarmsApi.alarmSettings, { query: { organization } }))
  const [open, setOpen] = useState(false)
  if (data === undefined) return null
  const { keepDays, keepDaysFrom } = data.effective
  return (
    <div className={classes.alarms}>
      <span>
        {t('alarm-retention.kept', { days: keepDays })}{' '}
        {keepDaysFrom === null
          ? t('alarm-retention.usual')
          : t('alarm-retention.from', { organization: names.get(keepDaysFrom) ?? keepDaysFrom })}
      </span>
      <ActionButton
        reason={may ? undefined : t('storage.mayNot')}
        size="compact-sm"
        variant="default"
        onClick={() => setOpen(true)}
      >
        {t('alarm-retention.change')}
      </ActionButton>
      {open && <AlarmRetentionDialog settings={data} onClose={() => setOpen(false)} />}
    </div>
  )
}
