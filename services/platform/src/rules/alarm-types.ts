import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import type { z } from 'zod'

/** Changes of an instance, as they are published. */
export type RuleChanged = z.output<typeof alarmsContract.events.ruleChanged.payload>

/** Rule as alarms answers it for a device, with what is different there. */
export type GivenRule = Result<typeof alarmsContract.endpoints.rulesForDevice>['rules'][number]
export type Override = NonNullable<GivenRule['override']>
