import { publish, publishAll } from '@longreach/kit/events'
import type { QueryExecutorProvider } from 'kysely'
import { type Moment, timelineRecorded } from './time-line-contract.ts'

/** Adds an entry to a device's time-line, in the transaction of the change. */
export const recordMoment = (tx: QueryExecutorProvider, moment: Moment) =>
  publish(tx, timelineRecorded, moment)

/** Adds time-line entries of many devices. */
export const recordMoments = (tx: QueryExecutorProvider, moments: readonly Moment[]) =>
  publishAll(tx, timelineRecorded, moments)
