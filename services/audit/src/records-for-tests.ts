import { auditRecorded } from '@longreach/kit/audit-trail'
import type { AuditRecord } from '@longreach/kit/audit-trail'
import { publishAll } from '@longreach/kit/events'
import { type TestServer, testNow } from '@longreach/kit/testing'

/** A line as somebody of nordwerk would leave it. */
export const record = (more: Partial<AuditRecord> = {}): AuditRecord => ({
  at: testNow,
  call: 'mappings.updateDevice',
  resource: 'devices',
  action: 'update',
  id: 'oven-7',
  label: 'Oven 7',
  organization: 'nordwerk',
  outcome: 'done',
  count: 1,
  actor: { kind: 'user', sub: 'anna', username: 'anna', realm: 'nordwerk' },
  ip: '10.0.0.5',
  ...more,
})

/** Publish records as services do, and deliver them to the trail. */
export async function leave(
  server: Pick<TestServer, 'database' | 'settle'>,
  ...records: readonly AuditRecord[]
) {
  await server.database.db.transaction().execute((tx) => publishAll(tx, auditRecorded, records))
  await server.settle()
}
