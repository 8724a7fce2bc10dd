import { createAttempts } from '@longreach/kit/attempts'
import { failure } from '@longreach/kit/errors'
import type { CallerCtx } from '@longreach/kit/service'
import { coreContract } from '../contract.ts'

/** Names that a person may look up in a minute: a form asks while they type, a list of names does not fit. */
const namesAMinute = { most: 60, windowMs: 60_000 }
const guesses = new WeakMap<object, ReturnType<typeof createAttempts>>()

/** Count a call whose answer tells whether the realm has a name; refuse when there were too many. */
export function mustNotGuess(deps: object, { caller, now }: Pick<CallerCtx, 'caller' | 'now'>) {
  const counted = guesses.get(deps) ?? createAttempts(namesAMinute)
  guesses.set(deps, counted)
  const retryAfterS = counted.waitS(caller.sub, now)
  if (retryAfterS > 0) {
    const message = `Too many names; try again in ${retryAfterS} s`
    throw failure(coreContract, 'too_many_attempts', { retryAfterS, message })
  }
  counted.failed(caller.sub, now)
}
