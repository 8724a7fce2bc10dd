import { Button } from '@mantine/core'
import { useWords } from '@longreach/ui/use-words'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'

/** Stands where a page could not load; the shell around it works on. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useWords()
  const router = useRouter()
  const retry = () => {
    reset()
    void router.invalidate()
  }
  return (
    <div role="alert">
      <h1 tabIndex={-1}>{t('shell.error.title')}</h1>
      <p>{error instanceof Error ? error.message : String(error)}</p>
      <Button onClick={retry}>{t('ui.retry')}</Button>
    </div>
  )
}
