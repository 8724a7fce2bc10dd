import { createAttempts } from '@longreach/kit/attempts'
import { failure } from '@longreach/kit/errors'
import type { CallerCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'

/** Names that a person may look up in a minute: a form asks while they type, a list of names does not fit. */
const namesAMinute = { most: 60, windowMs: 60_000 }

/** Names that people looked up, counted in all processes together. */
export const createNameGuesses = ({ fabric }: Pick<CoreDeps, 'fabric'>) =>
  createAttempts(namesAMinute, { fabric, name: 'core.names' })

/** Dependencies of parts that look names up. */
export type NamingDeps = CoreDeps & {
  used: { memberships: ReturnType<typeof createNameGuesses> }
}

/** Count a call whose answer tells whether the realm has a name; refuse when there were too many. */
export function limitNameGuesses(
  { used: { memberships: counted } }: NamingDeps,
  { caller, now }: Pick<CallerCtx, 'caller' | 'now'>,
) {
  const retryAfterS = counted.waitS(caller.sub, now)
  if (retryAfterS > 0) {
    const message = `Too many names; try again in ${retryAfterS} s`
    throw failure(coreContract, 'too_many_attempts', { retryAfterS, message })
  }
  counted.failed(caller.sub, now)
}
