import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { UnstyledButton } from '@mantine/core'
import { IconCloudOff } from '@tabler/icons-react'
import { connection } from '../lib/connection.ts'
import { useAsOf, useServerReach } from '../lib/server-reach.ts'
import classes from './ConnectionBanner.module.css'

/** One line over the top bar while the server does not answer: how old the page is, and the time until the next try. */
export function ConnectionBanner() {
  const reach = useServerReach()
  return reach.reachable ? null : <Away nextTryAt={reach.nextTryAt} />
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
