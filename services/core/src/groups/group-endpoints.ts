import type { Handlers } from '@longreach/kit/service'
import type { coreContract } from '../contract.ts'
import type { groupEndpoints } from './group-contract.ts'

/** What answers the calls about groups; every file of them makes a part of it. */
export type GroupHandlers = Pick<Handlers<typeof coreContract>, keyof typeof groupEndpoints>
