import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import { useAuditText } from '../../parts/audit/audit-text.ts'
import type { LineWords } from './log-source.ts'

/** Words in which sources tell their lines, the same ones until the language changes. */
export function useLineWords(): LineWords {
  const t = useWords()
  const findWords = useOptionalWords()
  const audit = useAuditText()
  const { locale } = useIntl()
  // The words change with the language only.
  // oxlint-disable-next-line react/exhaustive-deps
  return useMemo(() => ({ t, findWords, audit }), [locale])
}
