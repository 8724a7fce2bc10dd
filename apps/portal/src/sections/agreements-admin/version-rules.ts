import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'

export type Version = Result<typeof coreContract.endpoints.agreements>[number]
export type Life = 'inForce' | 'planned' | 'replaced' | 'ended' | 'off'

const isValid = ({ disabled, validityStart, validityEnd }: Version, now: number) =>
  !disabled &&
  validityStart.getTime() <= now &&
  (validityEnd === null || validityEnd.getTime() > now)

/** State of a version among the others of its type and service. */
export function lifeOf(version: Version, all: readonly Version[], now: number): Life {
  if (version.disabled) return 'off'
  if (version.validityStart.getTime() > now) return 'planned'
  if (!isValid(version, now)) return 'ended'
  const newer = all.some(
    (one) =>
      one.type === version.type &&
      one.serviceName === version.serviceName &&
      one.version > version.version &&
      isValid(one, now),
  )
  return newer ? 'replaced' : 'inForce'
}
