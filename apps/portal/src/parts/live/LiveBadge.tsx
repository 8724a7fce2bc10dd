import { Tag } from '@longreach/ui/StatusDot'
import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { useLiveState } from './live.ts'
import { useAsOf } from '../api/server-reach.ts'

/**
 * Badge with the state of the live values: Live, Delayed, Paused, Reconnecting in some seconds; Historical where a
 * page shows the past. While the server does not answer, it shows the time of the last answer; the banner shows the next try.
 */
export function LiveBadge({ historical = false }: { historical?: boolean }) {
  const t = useWords()
  const state = useLiveState()
  const now = useNow()
  const asOf = useAsOf()
  if (historical) return <Tag tone="off">{t('live.historical')}</Tag>
  if (asOf !== undefined) return <Tag tone="warning">{t('live.asOf', { time: asOf })}</Tag>
  if (state.name === 'reconnecting') {
    const seconds = Math.max(1, Math.ceil((state.retryAt - now) / 1000))
    return <Tag tone="warning">{t('live.reconnecting', { seconds })}</Tag>
  }
  if (state.name === 'delayed') return <Tag tone="warning">{t('live.delayed')}</Tag>
  if (state.name === 'live') return <Tag tone="ok">{t('live.live')}</Tag>
  return <Tag tone="off">{state.name === 'paused' ? t('live.paused') : t('live.connecting')}</Tag>
}
