import { useNow } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconClock } from '@tabler/icons-react'
import { useSession } from '../../parts/session/session.ts'
import classes from './SessionEndNotice.module.css'

const warnMs = 300_000

/** Warns before the longest life of the session ends; signing in again begins another and returns here. */
export function SessionEndNotice() {
  const { endsAt } = useSession()
  const now = useNow()
  const left = endsAt === undefined ? Infinity : endsAt - now
  return left <= warnMs && left > 0 ? <Notice left={left} /> : null
}

function Notice({ left }: { left: number }) {
  const t = useWords()
  const { signInAgain } = useSession()
  const seconds = Math.ceil(left / 1000)
  const time = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
  return (
    <div className={classes.notice}>
      <IconClock size={18} stroke={1.8} aria-hidden />
      <div className={classes.text}>
        <strong role="timer">{t('shell.ending.text', { time })}</strong>
        <span>{t('shell.ending.help')}</span>
      </div>
      <Button onClick={() => void signInAgain(location.pathname + location.search)}>
        {t('shell.ending.stay')}
      </Button>
    </div>
  )
}
