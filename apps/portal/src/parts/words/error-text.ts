import { AppError } from '@longreach/kit/errors'
import { useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { useIntl } from 'react-intl'
import { NotReachable } from '../api/not-reachable.ts'

/** A failure as a person reads it; `reference` finds it in the server's log, `fields` says what is wrong with which. */
export type Failure = {
  message: string
  reference: string | undefined
  fields: Record<string, string>
}

/** A failure beside a form: what is wrong with each field, and what is said below where none of them is. */
export function besideForm(failure: Failure | undefined, names: readonly string[]) {
  const at = failure?.fields ?? {}
  return { at, below: names.some((name) => at[name]) ? undefined : failure?.message }
}

type Values = Record<string, string | number>
/** The words of a message id, or undefined where there are none. */
type InWords = (id: string, values?: Values) => string | undefined

/**
 * Turns what a call threw into words of the person's language, by codes alone: the server's sentences
 * are for programs. What has no words is told with the reference that finds it in the server's log.
 */
export function useErrorText() {
  const t = useWords()
  const { messages } = useIntl()
  return useCallback(
    (error: unknown): Failure => {
      const inWords: InWords = (id, values) =>
        messages[`errors.${id}`] === undefined ? undefined : t(`errors.${id}`, values)
      const details = error instanceof AppError ? error.details : {}
      const reference = text(details['request'])
      const message =
        inWords(`fault.${text(details['fault'])}`, plain(details)) ??
        inWords(codeOf(error), plain(details)) ??
        (reference === undefined ? t('errors.internal') : t('errors.unknown', { reference }))
      return { message, reference, fields: fieldsOf(details, message, inWords) }
    },
    [t, messages],
  )
}

function codeOf(error: unknown) {
  if (error instanceof AppError) return error.code
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  return error instanceof NotReachable || error instanceof TypeError ? 'offline' : 'internal'
}

/** One field that a rule refused, or those that did not fit the schema. */
type Broken = { field?: unknown; rule?: unknown; format?: unknown; limit?: unknown }

function fieldsOf(
  { field, fields }: Record<string, unknown>,
  message: string,
  inWords: InWords,
): Record<string, string> {
  const listed = Array.isArray(fields) ? (fields as Broken[]) : []
  const pairs = [
    [text(field), message] as const,
    ...listed.map((one) => [text(one.field), ruleInWords(one, inWords)] as const),
  ]
  return Object.fromEntries(
    pairs.filter(
      (pair): pair is readonly [string, string] => Boolean(pair[0]) && pair[1] !== undefined,
    ),
  )
}

const ruleInWords = ({ rule, format, limit }: Broken, inWords: InWords) =>
  inWords(`field.form.${text(format)}`) ??
  inWords(`field.${text(rule)}`, { limit: Number(limit) }) ??
  inWords('field.other')

const text = (value: unknown) => (typeof value === 'string' ? value : undefined)

const plain = (details: Record<string, unknown>): Values =>
  Object.fromEntries(
    Object.entries(details).filter(
      (entry): entry is [string, string | number] =>
        typeof entry[1] === 'string' || typeof entry[1] === 'number',
    ),
  )
