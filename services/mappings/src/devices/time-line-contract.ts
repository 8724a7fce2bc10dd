import { type Event, timestamp, laneOfDevice } from '@longreach/kit/contract'
import { z } from 'zod'

/** Entry of a device's time-line. */
const Moment = z.object({
  deviceId: z.string(),
  /** resourceId of the device's organization at that time. */
  orgResourceId: z.string(),
  at: timestamp,
  /** End of something that lasted. */
  until: timestamp.optional(),
  /** Kind, such as `moved` or `preset`; the portal translates it. */
  kind: z.string().regex(/^[a-z][a-zA-Z]{0,39}$/),
  /**
   * Values for the portal's text; with `path` the entry is visible only to those who may see that
   * model path.
   */
  data: z.record(z.string(), z.unknown()),
  /** User name of the person who caused it. */
  by: z.string().max(200).optional(),
})
export type Moment = z.input<typeof Moment>

/** Event for a new time-line entry. Every service that acts on a device publishes it, in the transaction of its change. */
export const timelineRecorded = {
  topic: 'timeline.recorded',
  lane: laneOfDevice,
  payload: Moment,
} as const satisfies Event
