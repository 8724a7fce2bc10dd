import { Button } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { SignInHeading } from './SignInHeading.tsx'

/** It is made (`realm`), or waits for the link in the mail. */
export function Registered({ realm, email }: { realm?: string | undefined; email: string }) {
  const t = useWords()
  if (realm === undefined) {
    return (
      <div role="status">
        <SignInHeading title={t('register.sent')}>
          {t('register.sentText', { email })}
        </SignInHeading>
      </div>
    )
  }
  return (
    <>
      <SignInHeading title={t('register.done')}>{t('register.doneText', { realm })}</SignInHeading>
      <Button component="a" href={`/?realm=${encodeURIComponent(realm)}`} fullWidth size="sm">
        {t('register.signIn')}
      </Button>
    </>
  )
}
