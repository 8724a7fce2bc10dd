import { Button } from '@mantine/core'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import type { Problem } from '../start/boot.ts'
import { useStartProblem } from './use-start-problem.ts'
import { SignInHeading } from './SignInHeading.tsx'

/** Says why the portal did not start, and offers to try again or to choose another organization. */
export function StartFailedPage({ problem }: { problem: Problem }) {
  const t = useWords()
  return (
    <>
      <SignInHeading title={t('door.failed.title')} />
      <ErrorPanel message={useStartProblem()(problem)} onRetry={() => location.reload()} />
      <Button component="a" href="/login?choose" variant="subtle" mt="md">
        {t('door.failed.other')}
      </Button>
    </>
  )
}
