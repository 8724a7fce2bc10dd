import { rm } from 'node:fs/promises'
import path from 'node:path'
import { auditRecorded } from '@longreach/kit/audit-trail'
import type { AuditRecord } from '@longreach/kit/audit-trail'
import { publishAll } from '@longreach/kit/events'
import type { Authorizer } from '@longreach/kit/service'
import { type TestServer, testNow } from '@longreach/kit/testing'

/** Record of a change by a person of nordwerk. */
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

/** Publish records as services do, and wait until they are in the trail. */
export async function publishRecords(
  server: Pick<TestServer, 'database' | 'settle'>,
  ...records: readonly AuditRecord[]
) {
  await server.database.db.transaction().execute((tx) => publishAll(tx, auditRecorded, records))
  await server.settle()
}

const everything = { grants: { audit: 511, organizations: 511 }, deviceGroups: [] }
const reading = { grants: { audit: 511 }, deviceGroups: [] }
const changing = { grants: { organizations: 511 }, deviceGroups: [] }
const rights: Record<string, typeof everything | typeof reading | typeof changing> = {
  owner: everything,
  auditor: reading,
  administrator: changing,
}

/**
 * Permissions of people of nordwerk, there and below: everything, reading the trail, or changing
 * organizations.
 */
export const nordwerkAdmits = (): Authorizer => async (caller, reference) => {
  const capability = rights[caller.sub]
  if (!capability || !reference?.startsWith('nordwerk')) return undefined
  const organization = {
    id: 1,
    resourceId: reference,
    name: reference,
    label: reference,
    realm: 'nordwerk',
    dataEnabled: true,
    vpnEnabled: true,
  }
  return { organization, capability, below: true, capabilityBelow: capability }
}

/** Delete the trail, as in a new installation. */
export async function clearTrail({ database, site, settle }: TestServer) {
  await settle()
  await database.pool.query(`truncate audit.entry, audit.chain_link, audit.chain_head,
    audit.retention, audit.retention_checkpoint, audit.verification`)
  await rm(path.join(site.dataDir, 'audit-head.json'), { force: true })
}
