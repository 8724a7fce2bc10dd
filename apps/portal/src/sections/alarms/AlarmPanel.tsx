import { late } from '@longreach/ui/late'
import { PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconCheck, IconCircleOff, IconClockPause, IconRotate2 } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Alarm, alarmDetailQuery } from '../../parts/alarms/alarm-calls.ts'
import { type AlarmAction, alarmActions, isOpen, skipOf } from '../../parts/alarms/alarm-state.ts'
import { useAlarmText } from '../../parts/alarms/alarm-text.ts'
import { SeverityMark } from '../../parts/alarms/SeverityMark.tsx'
import { PanelPending } from '../../parts/pages/ContentPending.tsx'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import { AlarmActivity } from './AlarmActivity.tsx'
import { AlarmFacts } from './AlarmFacts.tsx'
import { AlarmStateText } from './AlarmStateText.tsx'
import { CommentBox } from './CommentBox.tsx'
import { ResponseCard } from './ResponseCard.tsx'

const ActionDialog = late(() => import('./ActionDialog.tsx'), 'ActionDialog')
const ShelveDialog = late(() => import('../../parts/alarms/ShelveDialog.tsx'), 'ShelveDialog')
const WhoWasTold = late(
  () => withWords(import('../../parts/notifications/WhoWasTold.tsx'), 'told'),
  'WhoWasTold',
)
const AlarmChart = late(() => import('./AlarmChart.tsx'), 'AlarmChart')

const icons = { ack: IconCheck, reset: IconRotate2, clear: IconCircleOff }

type Props = { id: string; onClose: () => void }

/** An alarm beside the list: what to do first, the value around the raise, and what happened since. */
export function AlarmPanel({ id, onClose }: Props) {
  const t = useWords()
  const textOf = useAlarmText()
  const may = useMay()
  const { data, error, refetch } = useQuery(alarmDetailQuery(useReach(), id))
  if (data === undefined) {
    return <PanelPending title={t('alarms.alarm')} onClose={onClose} {...{ error, refetch }} />
  }
  const { alarm, history, assigneeIsGone } = data
  return (
    <SidePanel
      title={textOf(alarm)}
      facts={
        <>
          <SeverityMark severity={alarm.severity} />
          <AlarmStateText alarm={alarm} />
        </>
      }
      actions={<AlarmActions alarm={alarm} />}
      onClose={onClose}
    >
      <ResponseCard alarm={alarm} />
      {alarm.longreach.path !== null && <AlarmChart alarm={alarm} path={alarm.longreach.path} />}
      <PanelSection title={t('alarms.details')}>
        <AlarmFacts alarm={alarm} assigneeIsGone={assigneeIsGone} />
      </PanelSection>
      {may('notifications:read') && <WhoWasTold alarm={alarm.id} />}
      <PanelSection title={t('alarms.activity')}>
        <CommentBox alarm={alarm} />
        <AlarmActivity history={history} />
      </PanelSection>
    </SidePanel>
  )
}

/** Buttons for what can be done with the alarm now; each asks for a comment. */
function AlarmActions({ alarm }: { alarm: Alarm }) {
  const t = useWords()
  const may = useMay()
  const [doing, setDoing] = useState<AlarmAction | 'shelve'>()
  const possible = alarmActions.filter(
    (action) => skipOf(action, alarm) === undefined && may(`alarms:${action}`),
  )
  const mayShelve = isOpen(alarm) && alarm.longreach.shelf === null && may('alarms:ack')
  if (possible.length === 0 && !mayShelve) return null
  const close = () => setDoing(undefined)
  return (
    <>
      {possible.map((action, index) => {
        const Icon = icons[action]
        return (
          <Button
            key={action}
            variant={index === 0 && action !== 'clear' ? 'filled' : 'default'}
            leftSection={<Icon size={16} stroke={1.8} />}
            onClick={() => setDoing(action)}
          >
            {t(`alarms.verb.${action}`)}
          </Button>
        )
      })}
      {mayShelve && (
        <Button
          variant="default"
          leftSection={<IconClockPause size={16} stroke={1.8} />}
          onClick={() => setDoing('shelve')}
        >
          {t('alarm-shelves.shelve')}
        </Button>
      )}
      {doing === 'shelve' && <ShelveDialog about={{ alarms: [alarm.id] }} onClose={close} />}
      {doing !== undefined && doing !== 'shelve' && (
        <ActionDialog action={doing} alarms={[alarm]} onClose={close} onDone={() => undefined} />
      )}
    </>
  )
}
