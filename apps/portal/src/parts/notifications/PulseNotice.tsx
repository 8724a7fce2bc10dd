import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { usePulse } from './pulse-calls.ts'
import classes from './pulse-notice.module.css'

/** Notice that alarms may be missing, while the pulse stands still; nothing else. */
export function PulseNotice() {
  const t = useWords()
  const { pulse, aheadMs } = usePulse()
  if (pulse?.state !== 'still') return null
  return (
    <div role="status" className={classes.notice}>
      <StatusDot tone="alarm">{t('pulse.notice')}</StatusDot>
      <span>
        {t('pulse.noticeText')}{' '}
        {pulse.t !== null && (
          <>
            {t('pulse.lastBeat')} <RelativeTime at={pulse.t + aheadMs} />
          </>
        )}
      </span>
    </div>
  )
}
