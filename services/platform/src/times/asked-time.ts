import { failure } from '@longreach/kit/errors'
import { platformContract } from '../contract.ts'
import { readTime } from './read-time.ts'

type Field = string | number | null | undefined

/** A time of a question; undefined without one, and refused by the field's name when it is none. */
export function timeAsked(raw: Field, field: string, now: Date): Date | undefined {
  if (raw === undefined || raw === null) return undefined
  const time = readTime(raw, now.getTime())
  if (time !== undefined && Math.abs(time) <= latest) return new Date(time)
  throw failure(platformContract, 'bad_query', {
    message: `${field} is no time; ISO 8601, ms since 1970 or now-15m are read`,
    field,
  })
}

/** The most that a database's timestamp and a Date hold alike. */
const latest = 8e15

/** Range of a query, whose end is not before its beginning. */
export function rangeAsked(asked: { since?: Field; to?: Field }, now: Date) {
  const since = timeAsked(asked.since, 'since', now)
  const to = timeAsked(asked.to, 'to', now)
  if (since && to && since > to) {
    const message = 'since lies after to'
    throw failure(platformContract, 'bad_query', { message, field: 'since' })
  }
  return { since, to }
}
