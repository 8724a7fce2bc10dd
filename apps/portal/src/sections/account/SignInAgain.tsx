import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { wantsSignIn } from './account-calls.ts'
import classes from './account.module.css'

/** Error of the account; with a way to sign in again and come back when the server asks for a recent sign-in. */
export function AccountFailure({ error }: { error: unknown }) {
  const t = useWords()
  const errorText = useErrorText()
  const { signInAgain } = useSession()
  if (error === null || error === undefined) return null
  if (!wantsSignIn(error)) return <ErrorPanel {...errorText(error)} />
  return (
    <div className={classes.again} role="alert">
      <span>{t('account.signInAgainText')}</span>
      <Button onClick={() => void signInAgain('/account?tab=security')}>
        {t('account.signInAgain')}
      </Button>
    </div>
  )
}
