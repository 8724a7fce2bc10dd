import { useOrganizationNames } from '../../../parts/organizations/organization-names.ts'
import { useSession } from '../../../parts/session/session.ts'

/** Names of organizations that own rules or models; of one above, whose name is not known here, its id. */
export function useOwnerName() {
  const names = useOrganizationNames()
  const own = useSession().organization
  return (id: string) => (id === own.resourceId ? own.label : (names.get(id) ?? id))
}
