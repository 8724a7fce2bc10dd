import { useSearch } from '../../parts/pages/use-search.ts'
import { AuditLog } from './AuditLog.tsx'
import { isAuditAddress } from './whole-log-url.ts'
import { WholeLog } from './WholeLog.tsx'

/** Log of everything by time, or the audit trail alone with its own filters. */
export function Component() {
  const [search] = useSearch()
  return isAuditAddress(search) ? <AuditLog /> : <WholeLog />
}
