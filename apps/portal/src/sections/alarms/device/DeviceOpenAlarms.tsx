import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconArrowUp } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import {
  type AlarmPage,
  type AlarmQuestion,
  alarmsQuery,
} from '../../../parts/alarms/alarm-calls.ts'
import { useAlarmNews } from '../../../parts/alarms/alarm-news.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { ListTable } from '../../../parts/pages/ListTable.tsx'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { useAlarmColumns } from '../alarm-columns.tsx'
import classes from '../alarms.module.css'
import { AlarmSelection } from '../AlarmSelection.tsx'
import type { AlarmRow } from '../steady-rows.ts'
import { useSteadyRows } from '../use-steady-rows.ts'

export type DeviceListProps = {
  deviceId: string
  /** The open one. */
  alarm: string | undefined
  onOpen: (id: string | undefined) => void
  /** Choice of the list, at the beginning of its toolbar. */
  choice: ReactNode
}

const noIds: ReadonlySet<string> = new Set()
const noPages: readonly AlarmPage[] = []
const alarmId = ({ id }: AlarmRow) => id

/** Open alarms of a device, severest first; they follow by themselves. */
export function DeviceOpenAlarms({ deviceId, alarm, onOpen, choice }: DeviceListProps) {
  const t = useWords()
  const may = useMay()
  const reach = useReach()
  const [checked, setChecked] = useState(noIds)
  const question: AlarmQuestion = { kind: 'open', deviceId }
  const list = useInfiniteQuery(alarmsQuery(reach, question))
  const news = useAlarmNews(reach)
  const pages = list.data?.pages ?? noPages
  const present = useMemo(() => pages.flatMap(({ data }) => data), [pages])
  const { rows, added, release, watch } = useSteadyRows(present, `${deviceId} ${pages.length}`)
  const chosen = rows.filter(({ id }) => checked.has(id))
  const mayAct = may('alarms:ack') || may('alarms:reset') || may('alarms:clear')
  const counts = pages[0]?.counts
  return (
    <div className={classes.list} {...watch}>
      <ListTable
        name="alarms-device"
        label={t('alarms.open')}
        columns={useAlarmColumns({ device: false })}
        rows={rows}
        rowId={alarmId}
        total={counts?.total}
        selected={alarm}
        onOpen={({ id }) => onOpen(id)}
        {...(mayAct && { checked, onChecked: setChecked })}
        countsItself
        list={list}
        none={{ title: t('device-alarms.none') }}
        toolbar={
          <>
            {choice}
            {added > 0 && (
              <Button
                variant="light"
                size="compact-sm"
                leftSection={<IconArrowUp size={14} stroke={2} />}
                onClick={release}
              >
                {t('alarms.new', { count: added })}
              </Button>
            )}
            {chosen.length > 0 && (
              <AlarmSelection alarms={chosen} onClear={() => setChecked(noIds)} />
            )}
          </>
        }
        footer={
          counts && (
            <>
              <span>{t('alarms.shown', { total: counts.total })}</span>
              <span>
                {t(news.isError ? 'alarms.stale' : 'alarms.footer', {
                  time: new Date(list.dataUpdatedAt),
                  zone: usualZone(),
                })}
              </span>
            </>
          )
        }
      />
    </div>
  )
}
