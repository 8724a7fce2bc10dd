import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'

type Refused = {
  reason?: string | null | undefined
  refusal?: readonly { code: string; values: Record<string, string> }[] | null | undefined
}

/** Why a message was not taken, in the person's language; as the server says it where there are no words. */
export function useRefusalText() {
  const t = useWords()
  const { messages } = useIntl()
  return ({ reason, refusal }: Refused) => {
    const known = refusal?.every(
      ({ code }) => messages[`device-page.refusal.${code}`] !== undefined,
    )
    if (!refusal || refusal.length === 0 || !known) return reason ?? ''
    return refusal.map(({ code, values }) => t(`device-page.refusal.${code}`, values)).join(': ')
  }
}
