import { AppError } from '@longreach/kit/errors'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { NotReachable } from './not-reachable.ts'

/** A failure as a person reads it; `reference` finds it in the server's log, `fields` says what is wrong with which. */
export type Failure = {
  message: string
  reference: string | undefined
  fields: Record<string, string>
}

/** Turns what a call threw into words: the message of its code, else what the server said about it. */
export function useErrorText() {
  const t = useWords()
  const { messages, locale } = useIntl()
  return useCallback(
    (error: unknown): Failure => {
      const id = codeOf(error)
      const details = error instanceof AppError ? error.details : {}
      const told = text(details['message'])
      const known = messages[`errors.${id}`] !== undefined
      // What the server says about the case is more exact than the code's own text, but in English.
      const message = known ? t(`errors.${id}`, plain(details)) : (told ?? t('errors.internal'))
      const reference = text(details['request'])
      // The schema's own sentences are English too; other languages have one for each rule.
      const inWords = ({ rule, limit, message: sentence }: Broken) => {
        const known = typeof rule === 'string' && messages[`errors.field.${rule}`] !== undefined
        if (locale.startsWith('en') || !known) return text(sentence)
        return t(`errors.field.${rule}`, { limit: Number(limit) })
      }
      const exact = locale.startsWith('en') ? (told ?? message) : message
      return { message, reference, fields: fieldsOf(details, exact, inWords) }
    },
    [t, messages, locale],
  )
}

function codeOf(error: unknown) {
  if (error instanceof AppError) return error.code
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  return error instanceof NotReachable || error instanceof TypeError ? 'offline' : 'internal'
}

/** One field that a rule refused, or those that did not fit the schema. */
type Broken = { field?: unknown; message?: unknown; rule?: unknown; limit?: unknown }

function fieldsOf(
  { field, fields }: Record<string, unknown>,
  message: string,
  inWords: (broken: Broken) => string | undefined,
) {
  const listed = Array.isArray(fields) ? (fields as Broken[]) : []
  return Object.fromEntries(
    [
      [text(field), message] as const,
      ...listed.map((one) => [text(one.field), inWords(one)] as const),
    ].filter(
      (pair): pair is readonly [string, string] => Boolean(pair[0]) && pair[1] !== undefined,
    ),
  )
}

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const plain = (details: Record<string, unknown>) =>
  Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
