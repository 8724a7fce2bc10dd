import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from './errors.ts'

/**
 * Refusal of a path or query with text that PostgreSQL cannot store: U+0000 or a lone surrogate.
 */
export function refuseUnstorableAddress(
  { params, query }: FastifyRequest,
  _: FastifyReply,
  done: (refused?: Error) => void,
) {
  done(unstorablePart('params', unstorable(params)) ?? unstorablePart('query', unstorable(query)))
}

/** Refusal of a form body with such text. */
export function refuseUnstorableForm(
  { body }: FastifyRequest,
  _: FastifyReply,
  done: (refused?: Error) => void,
) {
  done(typeof body === 'string' ? unstorablePart('body', unstorableForm(body)) : undefined)
}

/** Refusal of a JSON body with such text; only a text with one of these escapes can hold it. */
export const unstorableJson = (text: string, value: unknown) =>
  /\\u(?:0000|d[89a-f])/i.test(text) ? unstorablePart('body', unstorable(value)) : undefined

function unstorablePart(part: string, path: string[] | undefined) {
  if (!path) return undefined
  const field = path.join('.')
  const message = 'A text contains U+0000 or half of a surrogate pair. Remove it.'
  const fields = [{ field, message, rule: 'form' }]
  return new AppError(400, 'request.invalid', { message, part, fields })
}

/** List or object with its position, as a chain from the inside to the outside. */
type Place = { value: object; name?: string; within?: Place }

/** Path of a text that cannot be stored, as value or name; undefined when there is none. */
function unstorable(root: unknown): string[] | undefined {
  if (typeof root === 'string') return isStorable(root) ? undefined : []
  if (!isWalked(root)) return undefined
  // An explicit stack: recursion would overflow at a depth that callers choose.
  const open: Place[] = [{ value: root }]
  for (let place = open.pop(); place; place = open.pop()) {
    const found = Array.isArray(place.value) ? ofEntries(place, open) : ofFields(place, open)
    if (found) return pathOf(found)
  }
  return undefined
}

/** Loops over the indexes, so that no list of pairs is made for a long list. */
function ofEntries(place: Place, open: Place[]) {
  const entries = place.value as unknown[]
  for (let at = 0; at < entries.length; at += 1) {
    const found = ofValue(entries[at], at, place, open)
    if (found) return found
  }
  return undefined
}

function ofFields(place: Place, open: Place[]) {
  for (const [name, value] of Object.entries(place.value)) {
    const found = isStorable(name)
      ? ofValue(value, name, place, open)
      : { value: {}, name, within: place }
    if (found) return found
  }
  return undefined
}

/** Position of a text that cannot be stored; nested values are pushed to `open`. */
// oxlint-disable-next-line max-params -- the value, its place and the rest of the walk
function ofValue(value: unknown, step: string | number, within: Place, open: Place[]) {
  if (typeof value === 'string')
    return isStorable(value) ? undefined : { value: {}, name: String(step), within }
  if (isWalked(value)) open.push({ value, name: String(step), within })
  return undefined
}

/** Type check for nested values; bytes of a file are not text. */
const isWalked = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !ArrayBuffer.isView(value)

function pathOf(place: Place): string[] {
  const names: string[] = []
  for (let one: Place | undefined = place; one?.name !== undefined; one = one.within)
    names.push(one.name.toWellFormed().replaceAll('\0', '\ufffd'))
  return names.toReversed()
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

/** Check of an undecoded form; decoding would replace lone surrogates. */
function unstorableForm(form: string) {
  if (!form.includes('\0') && !form.includes('%00')) return undefined
  return unstorable(Object.fromEntries(new URLSearchParams(form)))
}
