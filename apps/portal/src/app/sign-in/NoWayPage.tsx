import { useWords } from '@longreach/ui/use-words'
import { Button, Text } from '@mantine/core'
import type { Problem } from '../start/boot.ts'
import { SignInHeading } from './SignInHeading.tsx'

/** Alert that an organization cannot be opened; then the page goes where everybody signs in. */
export function NoWayPage({ problem, home }: { problem: Problem; home: string }) {
  const t = useWords()
  return (
    <div role="alertdialog" aria-label={t('door.failed.title')} aria-describedby="no-way">
      <SignInHeading title={t('door.failed.title')} />
      <Text id="no-way">{t(problem.id, problem.values)}</Text>
      {/* The one thing to do on this page. */}
      {/* oxlint-disable-next-line jsx-a11y/no-autofocus */}
      <Button mt="md" autoFocus onClick={() => location.replace(home)}>
        {t('ui.ok')}
      </Button>
    </div>
  )
}
