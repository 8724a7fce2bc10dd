import { definePart } from '@longreach/kit/part'
import type { MappingsDeps } from '../deps.ts'
import { modelsContract } from './contract.ts'
import { modelHandlers } from './model-handlers.ts'
import { modelJudging } from './model-judging.ts'
import { modelLists } from './model-lists.ts'

export const models = definePart<MappingsDeps>()({
  name: 'models',
  contract: modelsContract,
  handlers: (deps) => ({
    ...modelHandlers(deps),
    ...modelLists(deps),
    ...modelJudging(deps),
  }),
})
