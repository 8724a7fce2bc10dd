import { definePart } from '@longreach/kit/part'
import { on } from '@longreach/kit/events'
import type { MappingsDeps } from '../deps.ts'
import { modelsContract } from './contract.ts'
import { modelHandlers } from './model-handlers.ts'
import { modelJudging } from './model-judging.ts'
import { modelLists } from './model-lists.ts'
import { rulePaths } from './rule-paths.ts'
import { viewEvents } from './view-event-contract.ts'
import { saveViewUse } from './view-use-store.ts'

export const models = definePart<MappingsDeps>()({
  name: 'models',
  contract: modelsContract,
  consumers: () => [on(viewEvents.viewChanged, async (told, tx) => saveViewUse(tx, told))],
  handlers: (deps) => ({
    ...modelHandlers(deps),
    ...modelLists(deps),
    ...modelJudging(deps),
    ...rulePaths(deps),
  }),
})
