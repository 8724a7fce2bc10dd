import { formatTime } from '@longreach/ui/format'
import { useNow } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { useAsOf } from '../../parts/api/server-reach.ts'
import { durationText } from './duration-text.ts'
import classes from './ConnectionState.module.css'

type StateProps = { connected: boolean; since: number | undefined }

/** Online or offline, and since when; while the server is away, only what was last known of it. */
export function ConnectionState({ connected, since }: StateProps) {
  const t = useWords()
  const asOf = useAsOf()
  if (asOf !== undefined && (connected || since !== undefined)) {
    const state = t(onlineOr(connected))
    return <StatusDot tone="off">{t('devices.stateAsOf', { state, time: asOf })}</StatusDot>
  }
  if (since === undefined) {
    return <StatusDot tone={connected ? 'ok' : 'off'}>{t(stateBefore(connected))}</StatusDot>
  }
  return (
    <StatusDot tone={connected ? 'ok' : 'off'}>
      <span className={classes.state}>
        {t(onlineOr(connected))} <Since at={since} />
      </span>
    </StatusDot>
  )
}

/** For how long the state has held; the exact time on hover. */
function Since({ at }: { at: number }) {
  const t = useWords()
  const { locale, timeZone } = useIntl()
  const now = useNow()
  return (
    <time
      className={classes.since}
      dateTime={new Date(at).toISOString()}
      title={formatTime(new Date(at), locale, timeZone)}
    >
      {t('devices.forTime', { time: durationText(Math.max(0, now - at), locale, 1) })}
    </time>
  )
}

const onlineOr = (connected: boolean) => (connected ? 'devices.online' : 'devices.offline')

/** Before any change of its connection is known. */
const stateBefore = (connected: boolean) => (connected ? 'devices.online' : 'devices.state.never')
