import type { Action } from '@longreach/authorization/permissions'
import { failure } from '@longreach/kit/errors'
import { mappingsContract } from '../contract.ts'

export const noDevice = (id: string) =>
  failure(mappingsContract, 'not_found', { message: 'There is no such device here.', id })

/** For who sees the device; others are told that there is none. */
export const notAllowed = (id: string, action: Action) =>
  failure(mappingsContract, 'device_not_allowed', {
    message: `You see this device, but you have no right to ${action} it.`,
    id,
  })
