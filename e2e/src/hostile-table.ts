import { auditRows } from './hostile-audit.ts'
import { coreRows } from './hostile-core.ts'
import { identityRows } from './hostile-identity.ts'
import { mappingsRows } from './hostile-mappings.ts'
import { platformRows } from './hostile-platform.ts'
import type { HostileRow } from './hostile-row.ts'

/** Calls that are made to cost much, by the name of the service that answers them. */
export const hostileTable: Readonly<Record<string, readonly HostileRow[]>> = {
  identity: identityRows,
  core: coreRows,
  mappings: mappingsRows,
  platform: platformRows,
  audit: auditRows,
}
