import { toPermissions } from '@longreach/authorization/to-permissions'
import { failure } from '@longreach/kit/errors'
import type { Handlers } from '@longreach/kit/service'
import type { Pool } from 'pg'
import { asKeyOwner, limitsOfKey, limitToKey } from '../api-keys/api-key-access.ts'
import { coreContract } from '../contract.ts'
import type { CoreDeps } from '../deps.ts'
import { hostsOfRealm } from '../organizations/host-lookup.ts'
import { findKnownUser } from '../directory/user-store.ts'
import { admissionOf } from '../access/access-rules.ts'
import {
  findStanding,
  findStandings,
  findFirstRoot,
  listOwners,
  listReachable,
  type Standing,
} from '../access/access-store.ts'

type AdmissionHandlers = Pick<
  Handlers<typeof coreContract>,
  'admission' | 'memberships' | 'ticketPermissions' | 'realmHosts' | 'roots'
>

export const admissionHandlers = ({ db, pool, now, site }: CoreDeps): AdmissionHandlers => ({
  admission: async ({ query: { sub, realm, organization, apiKey } }) => {
    const admission =
      apiKey === undefined
        ? await admit(pool, sub, organization)
        : await admitKey({ db, pool, now }, { id: apiKey, sub, reference: organization })
    // A subject may stand in several realms where accounts are kept elsewhere.
    const stranger = realm !== undefined && admission?.organization.realm !== realm
    if (!admission || stranger) throw failure(coreContract, 'not_found', { organization })
    return admission
  },

  memberships: async ({ query: { sub } }) => {
    const user = await findKnownUser(db, sub)
    return user ? listReachable(db, user.id) : []
  },

  ticketPermissions: async ({ body: { sub, organizations, strong } }) => {
    const standings = await findStandings(pool, sub, organizations)
    return standings.flatMap((found) => {
      const admission = admissionFor(found)
      if (!admission || (admission.organization.secondFactorRequired && !strong)) return []
      const { id, resourceId } = admission.organization
      const scopes = toPermissions(admission.capability)
      const roles = [...new Set(found.roles.map(({ role }) => role.name))]
      return [{ rsid: String(id), rsname: resourceId, scopes, roles }]
    })
  },

  realmHosts: async ({ query: { realm } }) =>
    hostsOfRealm(db, realm, new URL(site.origin).hostname),

  roots: async () => ({ first: await findFirstRoot(db), owners: await listOwners(db) }),
})

type KeyInUse = { id: number; sub: string; reference: string | undefined }
/** Admission of an API key in an organization: the rights of its owner within the limits of the key. */
async function admitKey(deps: Pick<CoreDeps, 'db' | 'pool' | 'now'>, key: KeyInUse) {
  const limits = await limitsOfKey(deps, key)
  const found = limits && (await findStanding(deps.pool, key.sub, limits.reference))
  const admission = found && admissionFor(asKeyOwner(found, limits))
  return admission && limitToKey(admission, limits)
}

async function admit(pool: Pool, sub: string, reference: string | undefined) {
  const found = await findStanding(pool, sub, reference)
  return found && admissionFor(found)
}

function admissionFor(found: Standing) {
  const { id, name, label, realm } = found
  const organization = {
    id,
    resourceId: found.resource_id,
    name,
    label,
    realm,
    dataEnabled: found.data_enabled,
    vpnEnabled: found.vpn_enabled,
    ...(found.allowed_addresses && { allowedAddresses: found.allowed_addresses }),
    secondFactorRequired: found.second_factor_required,
  }
  return admissionOf({ ...found, organization })
}
