import { crc32 } from 'node:zlib'
import type { z } from 'zod'
import type { Event } from './contract.ts'

/**
 * Lanes of events. A transaction that publishes holds the locks of its lanes while it commits, so that
 * numbers within a lane are in the order of commits; transactions in other lanes do not wait for it.
 */
export const laneCount = 16

/** Lane of events from before there were lanes; all of a topic are delivered before its later ones. */
export const laneBefore = -1

/** SQL for the lane of the number at `place` in a cursor, whose places begin with 1. */
export const laneAt = (place: string) => `(${place} - ${1 - laneBefore})::smallint`

/** Place of a lane's number in a cursor. */
export const placeOfLane = (lane: number) => lane + 1 - laneBefore

/** Lane of an event. Every process computes the same; an event without a `lane` is in the first one. */
export const laneOf = <T extends z.ZodType>(event: Event<T>, value: z.output<T>) =>
  event.lane ? crc32(event.lane(value)) % laneCount : 0

/** SQL for a cursor that has seen nothing. */
export const noneSeen = `array_fill(0::bigint, array[${laneCount - laneBefore}])`
