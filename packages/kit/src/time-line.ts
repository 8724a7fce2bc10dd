import type { QueryExecutorProvider } from 'kysely'
import { z } from 'zod'
import { type Event, timestamp } from './contract.ts'
import { publish, publishAll } from './events.ts'

/** Something that happened to a device, as its time-line shows it. */
const Moment = z.object({
  deviceId: z.string(),
  /** resourceId of the organization that the device is in then. */
  orgResourceId: z.string(),
  at: timestamp,
  /** When it ended, where it lasted. */
  until: timestamp.optional(),
  /** `moved`, `preset` …: the portal says it by the word of this name. */
  kind: z.string().regex(/^[a-z][a-zA-Z]{0,39}$/),
  /** What belongs to the kind, for the portal to put into words; `path`: only for who may see that model path. */
  data: z.record(z.string(), z.unknown()),
  /** User name of the person who did it. */
  by: z.string().max(200).optional(),
})
type Moment = z.input<typeof Moment>

/** A service tells what happened to a device; whoever keeps time-lines hears it. */
export const timelineRecorded = {
  topic: 'timeline.recorded',
  payload: Moment,
} as const satisfies Event

/** Put something on a device's time-line, in the transaction that makes it happen. */
export const recordMoment = (tx: QueryExecutorProvider, moment: Moment) =>
  publish(tx, timelineRecorded, moment)

/** The same for many devices at once. */
export const recordMoments = (tx: QueryExecutorProvider, moments: readonly Moment[]) =>
  publishAll(tx, timelineRecorded, moments)
