import { UnstyledButton } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { IconCloudOff } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import { queries } from '../lib/queries.ts'
import { connection } from '../lib/connection.ts'
import classes from './ConnectionBanner.module.css'

/** One line on top while the server does not answer, with the time until the next try. */
export function ConnectionBanner() {
  const t = useWords()
  const { online, nextTryAt } = useSyncExternalStore(connection.subscribe, connection.state)
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    if (online) {
      void queries.invalidateQueries({ predicate: ({ state }) => state.status === 'error' })
      return undefined
    }
    const tick = setInterval(() => setNow(Date.now()), 500)
    return () => clearInterval(tick)
  }, [online])
  if (online) return null
  const seconds = Math.max(0, Math.ceil(((nextTryAt ?? now) - now) / 1_000))
  return (
    <div className={classes.banner} role="status">
      <IconCloudOff size={16} stroke={1.8} />
      {t('shell.offline', { seconds })}
      <UnstyledButton className={classes.retry} onClick={connection.tryNow}>
        {t('shell.tryNow')}
      </UnstyledButton>
    </div>
  )
}
