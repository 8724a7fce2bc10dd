import { failure } from '@longreach/kit/errors'
import type { z } from 'zod'
import { alarmsContract } from '../contract.ts'

/** Text of a place behind which the next page begins. */
export const cursorOf = (place: readonly (string | number)[]) =>
  Buffer.from(JSON.stringify(place)).toString('base64url')

/** Place of a cursor that an earlier page answered; 400 for any other text. */
export function placeOf<T extends z.ZodType>(schema: T, next: string): z.output<T> {
  const read = schema.safeParse(parsed(next))
  if (read.success) return read.data
  throw failure(alarmsContract, 'bad_cursor', {
    message: 'next is no place in this list; begin without it, with the filters of now.',
    field: 'next',
  })
}

function parsed(next: string): unknown {
  try {
    return JSON.parse(Buffer.from(next, 'base64url').toString())
  } catch {
    return undefined // the schema refuses it
  }
}
