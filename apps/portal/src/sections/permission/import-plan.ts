import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'

/** What an import would do with each line of its table. */
export type Plan = Result<(typeof coreContract)['endpoints']['importUsers']>
