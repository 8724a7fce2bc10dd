import { AppError } from '@longreach/kit/errors'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'

/** A failure as a person reads it; `reference` finds it in the server's log, `field` is the one it is about. */
export type Failure = { message: string; reference: string | undefined; field: string | undefined }

/** Turns what a call threw into words: the message of its code, else what the server said about it. */
export function useErrorText() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    (error: unknown): Failure => {
      const id = codeOf(error)
      const details = error instanceof AppError ? error.details : {}
      const told = text(details['message'])
      const known = messages[`errors.${id}`] !== undefined
      return {
        // What the server says about the case is more exact than the code's own text, but in English.
        message: known ? t(`errors.${id}`, plain(details)) : (told ?? t('errors.internal')),
        reference: text(details['request']),
        field: text(details['field']),
      }
    },
    [t, messages],
  )
}

function codeOf(error: unknown) {
  if (error instanceof AppError) return error.code
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  return error instanceof TypeError ? 'offline' : 'internal'
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const plain = (details: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
