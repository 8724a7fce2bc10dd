import { AppError } from '@longreach/kit/errors'
import { earlyCalls } from '../../parts/api/early-calls.ts'
import { reportProblem } from '../../parts/api/problems.ts'

/** An organization that the person may enter because of a membership above it. */
export async function organizationBelow(asked: string) {
  try {
    return await earlyCalls.organization({ params: { org: asked } })
  } catch (cause) {
    if (cause instanceof AppError && cause.status < 500) return undefined
    throw cause
  }
}

/** The first run is still to come; false when that cannot be found out. */
export async function setupNeeded() {
  try {
    return (await earlyCalls.setupNeeded({})).needed
  } catch (cause) {
    reportProblem('First-run state unknown', cause)
    return false
  }
}
