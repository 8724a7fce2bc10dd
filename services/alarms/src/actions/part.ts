import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { occurrences } from '../occurrences/part.ts'
import { search } from '../search/part.ts'
import { actOnChosen } from './action-handlers.ts'
import { actOnAll, actionJob } from './action-on-all.ts'
import { takeCommands } from './command-handlers.ts'
import { actAloneOverdue } from './command-timeout.ts'
import { actionsContract } from './contract.ts'
import { noteHandlers } from './note-handlers.ts'

export const actions = definePart<AlarmsDeps>()({
  name: 'actions',
  contract: actionsContract,
  uses: [occurrences, search],
  handlers: (deps) => ({
    acknowledge: actOnChosen(deps, 'ack'),
    reset: actOnChosen(deps, 'reset'),
    clear: actOnChosen(deps, 'clear'),
    acknowledgeAll: actOnAll(deps, 'ack'),
    resetAll: actOnAll(deps, 'reset'),
    clearAll: actOnAll(deps, 'clear'),
    takeCommands: takeCommands(deps),
    ...noteHandlers(deps),
  }),
  jobs: [actionJob],
  every: { second: actAloneOverdue },
})
