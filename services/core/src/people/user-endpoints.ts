import type { Handlers } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { userEndpoints } from './user-contract.ts'

/** Handlers of the endpoints about people; each file of them implements a part. */
export type UserHandlers = Pick<Handlers<typeof coreContract>, keyof typeof userEndpoints>
