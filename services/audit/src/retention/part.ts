import { definePart } from '@longreach/kit/part'
import { chain } from '../chain/part.ts'
import type { AuditDeps } from '../deps.ts'
import { entries } from '../entries/part.ts'
import { retentionContract } from './contract.ts'
import { retentionHandlers } from './retention-handlers.ts'
import { deleteOldEntries } from './retention-job.ts'

export const retention = definePart<AuditDeps>()({
  name: 'retention',
  contract: retentionContract,
  uses: [chain, entries],
  handlers: ({ db, used }) => retentionHandlers(db, used.chain.seals),
  every: { hour: ({ used, ...deps }) => deleteOldEntries({ ...deps, ...used.chain }) },
})
