import { definePart } from '@longreach/kit/part'
import type { AlarmsDeps } from '../deps.ts'
import { search } from '../search/part.ts'
import { reportContract } from './contract.ts'
import { report as reportOf } from './report-handlers.ts'

export const report = definePart<AlarmsDeps>()({
  name: 'report',
  contract: reportContract,
  uses: [search],
  handlers: (deps) => ({ report: reportOf(deps) }),
})
