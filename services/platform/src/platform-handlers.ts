import { commentHandlers } from './time-line/comment-handlers.ts'
import { agentHandlers } from './agents/agent-handlers.ts'
import { deviceActivity } from './devices/device-activity.ts'
import { deviceFactsHandlers } from './devices/device-facts-handlers.ts'
import { deviceHandlers } from './devices/device-handlers.ts'
import { overviewHandlers } from './overview/overview-handlers.ts'
import { pastConnectionHandlers } from './devices/past-connections.ts'
import { formulaHandlers } from './formulas/formula-handlers.ts'
import type { PlatformDeps, Runtime } from './runtime.ts'
import { rehearsalHandlers } from './rehearsal/rehearsal-handlers.ts'
import { tagChangeHandlers } from './writes/tag-change-handlers.ts'
import { tagHandlers } from './values/tag-handlers.ts'
import { writeRequestHandlers } from './writes/write-request-handlers.ts'
import { timeLineHandlers } from './time-line/time-line-handlers.ts'

/** Handlers of everything but pairing. */
export const platformHandlers = (runtime: Runtime, deps: PlatformDeps) => ({
  ...tagHandlers(runtime, deps),
  ...tagChangeHandlers(runtime, deps),
  ...deviceHandlers(runtime, deps),
  ...formulaHandlers(),
  ...deviceActivity(runtime, deps),
  ...deviceFactsHandlers(runtime, deps),
  ...pastConnectionHandlers(runtime, deps),
  ...agentHandlers(runtime, deps),
  ...timeLineHandlers(runtime, deps),
  ...rehearsalHandlers(runtime, deps),
  ...commentHandlers(runtime, deps),
  ...writeRequestHandlers(runtime, deps),
  ...overviewHandlers(runtime, deps),
})
