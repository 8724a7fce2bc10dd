import { useWords } from '@longreach/ui/use-words'

/** The last resort of /home: what this person may do here, and whom to ask. */
export function DirectAccessPage() {
  const t = useWords()
  return <h1 tabIndex={-1}>{t('directaccess.title')}</h1>
}
