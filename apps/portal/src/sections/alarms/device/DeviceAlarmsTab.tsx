import { late } from '@longreach/ui/late'
import { Split } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import classes from './DeviceAlarmsTab.module.css'
import { DeviceHistory } from './DeviceHistory.tsx'
import { DeviceOpenAlarms } from './DeviceOpenAlarms.tsx'

const DeviceRules = late(() => import('./DeviceRules.tsx'), 'DeviceRules')
const AlarmPanel = late(() => import('../AlarmPanel.tsx'), 'AlarmPanel')

const lists = ['open', 'history', 'rules'] as const

/** Alarms of one device: the open ones, live and to act on, and the history. */
export function DeviceAlarmsTab({ deviceId }: { deviceId: string }) {
  const t = useWords()
  const [search, change] = useSearch()
  const shown = lists.find((list) => list === one(search['part'])) ?? 'open'
  const alarm = one(search['alarm'])
  const onOpen = (id: string | undefined) => void change({ alarm: id })
  const choice = (
    <SegmentedControl
      aria-label={t('device-alarms.list')}
      data={lists.map((list) => ({ value: list, label: t(`device-alarms.${list}`) }))}
      value={shown}
      onChange={(part) =>
        void change({ part: part === 'open' ? undefined : part, alarm: undefined })
      }
    />
  )
  const list = { deviceId, alarm, onOpen, choice }
  return (
    <div className={classes.list}>
      <Split>
        {shown === 'open' && <DeviceOpenAlarms {...list} />}
        {shown === 'history' && <DeviceHistory {...list} />}
        {shown === 'rules' && <DeviceRules {...list} />}
        {alarm !== undefined && (
          <AlarmPanel key={alarm} id={alarm} onClose={() => onOpen(undefined)} />
        )}
      </Split>
    </div>
  )
}
