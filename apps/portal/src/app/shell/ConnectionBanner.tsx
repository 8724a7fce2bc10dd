import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { UnstyledButton } from '@mantine/core'
import { IconCloudOff, IconRefresh } from '@tabler/icons-react'
import { useSyncExternalStore } from 'react'
import { connection } from '../../parts/api/connection.ts'
import { newerFiles } from '../start/newer-files.ts'
import { useAsOf, useServerReach } from '../../parts/api/server-reach.ts'
import classes from './ConnectionBanner.module.css'

/**
 * One line over the top bar while the server does not answer: how old the page is, and the time until
 * the next try; or that the server was upgraded meanwhile.
 */
export function ConnectionBanner() {
  const reach = useServerReach()
  const newer = useSyncExternalStore(newerFiles.subscribe, newerFiles.state)
  if (!reach.reachable) return <Away nextTryAt={reach.nextTryAt} />
  return newer ? <Newer /> : null
}

function Away({ nextTryAt }: { nextTryAt: number }) {
  const t = useWords()
  const now = useNow()
  const asOf = useAsOf()
  const seconds = Math.max(0, Math.ceil((nextTryAt - now) / 1_000))
  return (
    <div className={classes.banner}>
      <IconCloudOff size={17} stroke={1.8} className={classes.icon} aria-hidden />
      <span className={classes.text} role="status">
        <strong>{t('shell.away.title')}</strong>{' '}
        <span className={classes.asOf}>{t('shell.away.asOf', { time: asOf ?? '' })}</span>
      </span>
      <span className={classes.next} role="timer">
        {t(seconds > 0 ? 'shell.away.next' : 'shell.away.trying', { seconds })}
      </span>
      <UnstyledButton className={classes.retry} onClick={connection.tryNow}>
        {t('shell.tryNow')}
      </UnstyledButton>
    </div>
  )
}

function Newer() {
  const t = useWords()
  return (
    <div className={classes.banner}>
      <IconRefresh size={17} stroke={1.8} className={classes.icon} aria-hidden />
      <span className={classes.text} role="status">
        {t('shell.newer.text')}
      </span>
      <UnstyledButton className={classes.retry} onClick={() => location.reload()}>
        {t('shell.newer.reload')}
      </UnstyledButton>
    </div>
  )
}
