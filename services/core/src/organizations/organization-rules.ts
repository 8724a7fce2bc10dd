import type { Organization, OrganizationChange } from './organization-contract.ts'

type Row = {
  id: number
  name: string
  label: string
  status: string
  resource_id: string
  realm: string
  hostname: string | null
  hostname_allowed: boolean
  data_enabled: boolean
  vpn_enabled: boolean
  vpn_pairing_mode: string
  vpn_otp_required: boolean
  ip_addresses_whitelist: string[]
  store_enabled: boolean
  dealer: boolean
  has_own_resources: boolean
}

/** An organization as the wire shows it to somebody who may enter it, or may not. */
export const shown = (row: Row, userCanAccess = true): Organization => ({
  id: row.id,
  name: row.name,
  label: row.label,
  status: row.status,
  resourceId: row.resource_id,
  realmName: row.realm,
  privateAccess: false,
  allowDisablePrivateAccess: false,
  hostname: row.hostname,
  hostnameAllowed: row.hostname_allowed,
  dataEnabled: row.data_enabled,
  vpnEnabled: row.vpn_enabled,
  vpnPairingMode: row.vpn_pairing_mode,
  vpnOtpRequired: row.vpn_otp_required,
  ipAddressesWhitelist: row.ip_addresses_whitelist,
  userCanAccess,
  storeEnabled: row.store_enabled,
  dealer: row.dealer,
  hasOwnResources: row.has_own_resources,
})

const columns = {
  label: 'label',
  hostname: 'hostname',
  allowHostname: 'hostname_allowed',
  dataEnabled: 'data_enabled',
  vpnEnabled: 'vpn_enabled',
  vpnOtpRequired: 'vpn_otp_required',
  ipAddressesWhitelist: 'ip_addresses_whitelist',
  storeEnabled: 'store_enabled',
  dealer: 'dealer',
} as const

/** The columns that a change names; what it does not name stays. */
export const factsOf = (change: OrganizationChange) =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const value = change[field as keyof typeof columns]
      return value === undefined ? [] : [[column, value]]
    }),
  )

/** The first field by which a sub-organization would have what the one above it lacks. */
export function beyondParent(
  change: Pick<OrganizationChange, 'dataEnabled' | 'vpnEnabled'>,
  parent: Pick<Row, 'data_enabled' | 'vpn_enabled'> | undefined,
) {
  if (parent === undefined) return undefined
  if (change.dataEnabled === true && !parent.data_enabled) return 'dataEnabled'
  if (change.vpnEnabled === true && !parent.vpn_enabled) return 'vpnEnabled'
  return undefined
}
