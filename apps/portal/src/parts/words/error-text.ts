import { AppError } from '@longreach/kit/errors'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useCallback } from 'react'
import { NotReachable } from '../api/not-reachable.ts'

/** Failure as text for people; `reference` finds it in the server's log, `fields` has the faults by field. */
export type Failure = {
  message: string
  reference: string | undefined
  fields: Record<string, string>
}

/** Texts of a failure in a form: `at` by field, `below` if none of the fields has one. */
export function besideForm(failure: Failure | undefined, names: readonly string[]) {
  const at = failure?.fields ?? {}
  return { at, below: names.some((name) => at[name]) ? undefined : failure?.message }
}

type Values = Record<string, string | number>
/** Text of an id of the file `errors`, or undefined if there is none. */
type InWords = (id: string, values?: Values) => string | undefined

/**
 * Converts the error of a call to text in the person's language, by its code: the server's messages are for
 * programs. An unknown code gives a general text with the reference that finds the error in the server's log.
 */
export function useErrorText() {
  const t = useWords()
  const findWords = useOptionalWords()
  return useCallback(
    (error: unknown): Failure => {
      const inWords: InWords = (id, values) => findWords(`errors.${id}`, values)
      const details = error instanceof AppError ? error.details : {}
      const reference = text(details['request'])
      const message =
        inWords(`fault.${text(details['fault'])}`, plain(details)) ??
        inWords(codeOf(error), plain(details)) ??
        (reference === undefined ? t('errors.internal') : t('errors.unknown', { reference }))
      return { message, reference, fields: fieldsOf(details, message, inWords) }
    },
    [t, findWords],
  )
}

function codeOf(error: unknown) {
  if (error instanceof AppError) return error.code
  if (error instanceof DOMException && error.name === 'TimeoutError') return 'timeout'
  return error instanceof NotReachable || error instanceof TypeError ? 'offline' : 'internal'
}

/** Field with the rule of the schema that it breaks. */
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
