import type { Column } from '@longreach/ui/DataTable'
import { formatTime } from '@longreach/ui/format'
import { late } from '@longreach/ui/late'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { usualZone } from '../../parts/look/time-zone.ts'
import type { Schedule } from '../../parts/notifications/notification-calls.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useOnCall, useSchedules } from './admin-calls.ts'
import { AdminList, nameColumn, NewButton } from './AdminList.tsx'

const ScheduleDialog = late(() => import('./ScheduleDialog.tsx'), 'ScheduleDialog')
const SchedulePanel = late(() => import('./SchedulePanel.tsx'), 'SchedulePanel')

/** On-call schedules, with who is on call now and a calendar of the chosen one. */
export function OnCallTab() {
  const t = useWords()
  const list = useSchedules()
  const [search, change] = useSearch()
  const [isNew, setNew] = useState(false)
  const rows = list.data?.data ?? []
  const chosen = rows.find(({ id }) => id === one(search['schedule']))
  return (
    <AdminList
      tab="on-call"
      name="on-call-schedules"
      columns={useScheduleColumns()}
      rows={rows}
      rowId={({ id }) => id}
      total={list.data?.data.length}
      onOpen={({ id }) => void change({ schedule: id })}
      list={list}
      actions={
        <NewButton
          permission="notifications:update"
          text={t('on-call.newSchedule')}
          onClick={() => setNew(true)}
        />
      }
      none={{ title: t('on-call.noSchedules'), text: t('on-call.noSchedulesText') }}
      panel={
        chosen && (
          <SchedulePanel
            key={chosen.id}
            schedule={chosen}
            onClose={() => void change({ schedule: undefined })}
          />
        )
      }
    >
      {isNew && <ScheduleDialog onClose={() => setNew(false)} />}
    </AdminList>
  )
}

function useScheduleColumns(): Column<Schedule>[] {
  const t = useWords()
  return useMemo(
    () => [
      nameColumn(t('notifications-admin.name')),
      {
        id: 'now',
        label: t('on-call.now'),
        width: 180,
        grow: 2,
        card: 'state' as const,
        cell: ({ id }) => <NowCell id={id} />,
      },
      {
        id: 'until',
        label: t('on-call.until'),
        width: 190,
        card: 'detail' as const,
        cell: ({ id }) => <UntilCell id={id} />,
      },
      {
        id: 'zone',
        label: t('on-call.zone'),
        width: 150,
        card: 'detail' as const,
        value: ({ zone }) => zone,
        cell: ({ zone }) => zone,
      },
    ],
    [t],
  )
}

function NowCell({ id }: { id: string }) {
  const t = useWords()
  const now = useOnCall(id).data
  if (!now) return '–'
  return now.person === null ? (
    <StatusDot tone="alarm">{t('on-call.nobody')}</StatusDot>
  ) : (
    <StatusDot tone="ok">{now.person}</StatusDot>
  )
}

function UntilCell({ id }: { id: string }) {
  const t = useWords()
  const { locale } = useIntl()
  const now = useOnCall(id).data
  if (!now) return '–'
  return now.until === null
    ? t('on-call.always')
    : formatTime(new Date(now.until), locale, usualZone())
}
