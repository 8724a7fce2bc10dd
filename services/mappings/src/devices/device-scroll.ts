import { failure } from '@longreach/kit/errors'
import { z } from 'zod'
import { mappingsContract } from '../contract.ts'

/** The last row of a page: the next page begins behind it, whatever came or went meanwhile. */
const Place = z.object({
  by: z.string().max(100),
  dir: z.enum(['asc', 'desc']),
  key: z.string().max(10_000),
  id: z.string().max(100),
  /** Number of rows that came before. */
  seen: z.int().min(0),
})
export type Place = z.output<typeof Place>

export const scrollIdOf = (place: Place) => Buffer.from(JSON.stringify(place)).toString('base64url')

/** The place that a `scrollId` names; 400 for what is none. */
export function placeOf(scrollId: string): Place {
  const place = Place.safeParse(jsonOf(scrollId))
  if (place.success) return place.data
  throw failure(mappingsContract, 'bad_scroll', {
    message: 'This scrollId was not given out here; ask for the first page with scroll=true.',
    field: 'scrollId',
  })
}

function jsonOf(scrollId: string): unknown {
  try {
    return JSON.parse(Buffer.from(scrollId, 'base64url').toString())
  } catch {
    return undefined // not a place, and said so above
  }
}
