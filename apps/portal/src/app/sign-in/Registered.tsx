import { Button } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { DoorHeading } from './DoorHeading.tsx'

/** It is made (`realm`), or waits for the link in the mail. */
export function Registered({ realm, email }: { realm?: string | undefined; email: string }) {
  const t = useWords()
  if (realm === undefined) {
    return (
      <div role="status">
        <DoorHeading title={t('register.sent')}>{t('register.sentText', { email })}</DoorHeading>
      </div>
    )
  }
  return (
    <>
      <DoorHeading title={t('register.done')}>{t('register.doneText', { realm })}</DoorHeading>
      <Button component="a" href={`/?realm=${encodeURIComponent(realm)}`} fullWidth size="sm">
        {t('register.signIn')}
      </Button>
    </>
  )
}
