import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'

/** Plan of an import: the result of each line of its table. */
export type Plan = Result<(typeof coreContract)['endpoints']['importUsers']>
