import { useOptionalWords } from '@longreach/ui/use-words'

type Refused = {
  reason?: string | null | undefined
  refusal?: readonly { code: string; values: Record<string, string> }[] | null | undefined
}

/** Reason of a refused message in the person's language; the server's own text if there are no words for it. */
export function useRefusalText() {
  const findWords = useOptionalWords()
  return ({ reason, refusal }: Refused) => {
    const texts = refusal?.map(({ code, values }) =>
      findWords(`device-page.refusal.${code}`, values),
    )
    if (!texts || texts.length === 0 || texts.includes(undefined)) return reason ?? ''
    return texts.join(': ')
  }
}
