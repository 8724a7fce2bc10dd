import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { useErrorText } from '../words/error-text.ts'
import { isMissing } from './FailedPage.tsx'

type Props = {
  kind: 'person' | 'userGroup' | 'organization'
  error: unknown
  onRetry: () => void
}

/** Stands in a panel where one thing should: it is not there, or why it could not be loaded. */
export function FailedPanel({ kind, error, onRetry }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  if (!isMissing(error)) return <ErrorPanel {...errorText(error)} onRetry={onRetry} />
  return (
    <EmptyState
      kind="nothing"
      title={t(`errors.missing.${kind}`)}
      text={t('errors.missing.text')}
    />
  )
}
