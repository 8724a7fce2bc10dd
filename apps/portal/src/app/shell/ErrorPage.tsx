import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useQueryErrorResetBoundary } from '@tanstack/react-query'
import { type ErrorComponentProps, useRouter } from '@tanstack/react-router'
import { useEffect, useEffectEvent } from 'react'
import { connection } from '../../parts/api/connection.ts'
import { useErrorText } from '../../parts/words/error-text.ts'

/** Stands where a page could not load; the shell around it works on, and the page is asked for again when the server is back. */
export function ErrorPage({ error, reset }: ErrorComponentProps) {
  const t = useWords()
  const router = useRouter()
  const queries = useQueryErrorResetBoundary()
  const { message, reference } = useErrorText()(error)
  const retry = () => {
    queries.reset()
    reset()
    void router.invalidate()
  }
  const back = useEffectEvent(retry)
  useEffect(
    () =>
      connection.subscribe(() => {
        if (connection.state().reachable) back()
      }),
    [],
  )
  return (
    <Page>
      <PageHeader title={t('shell.error.title')} />
      <ErrorPanel message={message} reference={reference} onRetry={retry} />
    </Page>
  )
}
