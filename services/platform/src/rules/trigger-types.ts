import type { Result } from '@longreach/kit/contract'
import type { triggersContract } from '@longreach/triggers/contract'
import type { z } from 'zod'

/** Trigger as it is answered for a device. */
export type GivenTrigger = Result<
  typeof triggersContract.endpoints.triggersForDevice
>['triggers'][number]

/** Firing as it is published. */
export type Firing = z.output<typeof triggersContract.events.triggerFired.payload>
