import { useWords } from '@longreach/ui/use-words'
import { useCallback, useMemo } from 'react'
import { useIntl } from 'react-intl'
import { toTriggerDraft } from '../editor/trigger-draft.ts'
import type { Trigger } from '../trigger-calls.ts'
import { useGroupNames } from '../use-group-names.ts'
import { type Saying, sentenceTokens, textOfTokens } from './sentence-tokens.ts'

/** Words and names for sentences of triggers. */
export function useSaying(): Saying {
  const t = useWords()
  const { locale } = useIntl()
  const { nameOf } = useGroupNames()
  return useMemo(() => ({ t, locale, groupName: nameOf }), [t, locale, nameOf])
}

/** Sentence of a stored trigger as text. */
export function useSentence() {
  const saying = useSaying()
  return useCallback(
    (trigger: Trigger) => textOfTokens(sentenceTokens(toTriggerDraft(trigger), saying)),
    [saying],
  )
}
