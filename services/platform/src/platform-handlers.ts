import { commentHandlers } from './comment-handlers.ts'
import { agentHandlers } from './agents/agent-handlers.ts'
import { deviceActivity } from './device-activity.ts'
import { deviceFactsHandlers } from './device-facts-handlers.ts'
import { deviceHandlers } from './device-handlers.ts'
import { formulaHandlers } from './formula-handlers.ts'
import type { PlatformDeps, Runtime } from './runtime.ts'
import { rehearsalHandlers } from './rehearsal-handlers.ts'
import { tagChangeHandlers } from './tag-change-handlers.ts'
import { tagHandlers } from './tag-handlers.ts'
import { timeLineHandlers } from './time-line-handlers.ts'

/** Handlers of everything but pairing. */
export const platformHandlers = (runtime: Runtime, deps: PlatformDeps) => ({
  ...tagHandlers(runtime, deps),
  ...tagChangeHandlers(runtime, deps),
  ...deviceHandlers(runtime, deps),
  ...formulaHandlers(),
  ...deviceActivity(runtime, deps),
  ...deviceFactsHandlers(runtime, deps),
  ...agentHandlers(runtime, deps),
  ...timeLineHandlers(runtime, deps),
  ...rehearsalHandlers(runtime),
  ...commentHandlers(runtime, deps),
})
