import type { Handlers } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { userEndpoints } from './user-contract.ts'

/** What answers the calls about people; every file of them makes a part of it. */
export type UserHandlers = Pick<Handlers<typeof coreContract>, keyof typeof userEndpoints>
