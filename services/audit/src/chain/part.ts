import { auditRecorded } from '@longreach/kit/audit-trail'
import { onMany } from '@longreach/kit/events'
import { definePart } from '@longreach/kit/part'
import type { AuditDeps } from '../deps.ts'
import { appendRecords } from './chain-writer.ts'
import { sealsOf } from './seals.ts'

export const chain = definePart<AuditDeps>()({
  name: 'chain',
  state: ({ secrets }) => ({ seals: sealsOf(secrets) }),
  consumers: ({ state: { seals } }) => [
    onMany(auditRecorded, (records, tx) => appendRecords(tx, seals, records)),
  ],
})
