import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useSignOut } from './use-sign-out.ts'

type SignOutButtonProps = { signOut: () => Promise<void>; label?: string; margin?: string }

/** The way out in front of the portal; says so when identity does not let one out. */
export function SignOutButton({ signOut, label, margin = 'md' }: SignOutButtonProps) {
  const t = useWords()
  const { failed, leave } = useSignOut(signOut)
  return (
    <>
      <Button variant="subtle" mt={margin} onClick={leave}>
        {label ?? t('shell.signOut')}
      </Button>
      {failed && <ErrorPanel message={t('shell.signOutFailed')} />}
    </>
  )
}
