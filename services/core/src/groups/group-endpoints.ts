import type { Handlers } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { groupEndpoints } from './group-contract.ts'

/** Handlers of the endpoints about groups; each file of them implements a part. */
export type GroupHandlers = Pick<Handlers<typeof coreContract>, keyof typeof groupEndpoints>
