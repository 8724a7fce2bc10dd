import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconUserShield } from '@tabler/icons-react'
import { useSession } from '../../parts/session/session.ts'
import { useSignOut } from '../session/use-sign-out.ts'
import classes from './ActingAsBanner.module.css'

/** An administrator works as somebody else: said on every page, with the way out. */
export function ActingAsBanner() {
  const t = useWords()
  const { impersonator, displayName, signOut } = useSession()
  const { failed, leave } = useSignOut(signOut)
  if (impersonator === undefined) return null
  return (
    <div className={classes.stripe} role="status">
      <IconUserShield size={18} stroke={1.8} aria-hidden />
      <span className={classes.text}>
        {t('shell.actingAs', { person: displayName, administrator: impersonator })}
      </span>
      <Button variant="default" onClick={leave}>
        {t('shell.stopActing')}
      </Button>
      {failed && <span role="alert">{t('shell.signOutFailed')}</span>}
    </div>
  )
}
