import { failure } from '@longreach/kit/errors'
import { triggersContract } from './contract.ts'

/** Error of a trigger that is not there, or not for the caller. */
export const noTrigger = (id: string) =>
  failure(triggersContract, 'not_found', { message: `There is no trigger ${id} here` })
