import { toPermissions } from '@longreach/authorization/to-permissions'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { Pool } from 'pg'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { findUserBySub } from '../people/user-store.ts'
import { admissionOf } from './access-rules.ts'
import { findStanding, listOwners, listReachable } from './access-store.ts'

type AccessHandlers = Pick<
  Handlers<typeof coreContract>,
  'admission' | 'memberships' | 'ticketPermissions' | 'owners'
>

export const accessHandlers = ({ db, pool }: CoreDeps): AccessHandlers => ({
  admission: async ({ query: { sub, organization } }) => {
    const admission = await admit(pool, sub, organization)
    if (!admission) throw failure(coreContract, 'not_found', { organization })
    return admission
  },

  memberships: async ({ query: { sub } }) => {
    const user = await findUserBySub(db, sub)
    return user ? listReachable(db, user.id) : []
  },

  ticketPermissions: async ({ query: { sub, organization } }) => {
    const admission = await admit(pool, sub, organization)
    if (!admission) return []
    const { id, resourceId } = admission.organization
    return [{ rsid: String(id), rsname: resourceId, scopes: toPermissions(admission.capability) }]
  },

  owners: async () => listOwners(db),
})

async function admit(pool: Pool, sub: string, reference: string | undefined) {
  const found = await findStanding(pool, sub, reference)
  if (!found) return undefined
  const { id, name, label, realm } = found
  const organization = {
    id,
    resourceId: found.resource_id,
    name,
    label,
    realm,
    dataEnabled: found.data_enabled,
    vpnEnabled: found.vpn_enabled,
  }
  return admissionOf({ ...found, organization })
}
