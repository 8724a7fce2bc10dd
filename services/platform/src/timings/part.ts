import { definePart } from '@longreach/kit/part'
import type { PlatformDeps } from '../deps.ts'
import { defaultTimings, type Timings } from './timings.ts'

/** Waiting times as a part, so that tests of waiting can put shorter ones in their place. */
export const timingsOf = (timings: Partial<Timings>) =>
  definePart<PlatformDeps>()({
    name: 'timings',
    state: (): Timings => ({ ...defaultTimings, ...timings }),
  })
export const timings = timingsOf({})
