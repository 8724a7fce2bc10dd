import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { search } from '../search/part.ts'
import { actionLog as actionLogOf } from './action-log-handlers.ts'
import { actionLogContract } from './contract.ts'

export const actionLog = definePart<AlarmsDeps>()({
  name: 'action-log',
  contract: actionLogContract,
  uses: [search],
  handlers: (deps) => ({ actionLog: actionLogOf(deps) }),
})
