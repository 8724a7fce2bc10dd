import { definePart } from '@longreach/kit/part'
import { chain } from '../chain/part.ts'
import type { AuditDeps } from '../deps.ts'
import { entries } from '../entries/part.ts'
import { retentionContract } from './contract.ts'
import { dayMs, retentionDays } from './retention-rules.ts'
import { retentionHandlers } from './retention-handlers.ts'
import { deleteOldEntries } from './retention-job.ts'

export const retention = definePart<AuditDeps>()({
  name: 'retention',
  contract: retentionContract,
  uses: [chain, entries],
  handlers: ({ db, used }) => retentionHandlers(db, used.chain.seals),
  months: [
    {
      table: 'entry',
      time: 'at',
      key: ['seq', 'at'],
      // Organizations choose how long their entries are kept, and the job deletes them: a month goes when
      // few are left in it, and these stay.
      keptMs: retentionDays.least * dayMs,
      goes: 'false',
    },
  ],
  every: { hour: ({ used, ...deps }) => deleteOldEntries({ ...deps, ...used.chain }) },
})
