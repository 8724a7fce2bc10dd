import type { Grants, Organization, OrganizationChange } from './organization-contract.ts'

type Row = {
  id: number
  name: string
  label: string
  status: string
  resource_id: string
  realm: string
  parent: number | null
  private_access: boolean
  allow_disable_private_access: boolean
  hostname: string | null
  hostname_allowed: boolean
  data_enabled: boolean
  vpn_enabled: boolean
  vpn_pairing_mode: string
  vpn_otp_required: boolean
  ip_addresses_whitelist: string[]
  second_factor_required: boolean
  start_page: 'HOME' | 'OVERVIEW' | null
  store_enabled: boolean
  dealer: boolean
  has_own_resources: boolean
}

/** An organization as the wire shows it to somebody who may enter it, or may not. */
export const toOrganization = (row: Row, userCanAccess = true, org?: string): Organization => ({
  id: row.id,
  name: row.name,
  label: row.label,
  status: row.status,
  resourceId: row.resource_id,
  realmName: row.realm,
  privateAccess: row.private_access,
  allowDisablePrivateAccess: row.allow_disable_private_access,
  hostname: row.hostname,
  hostnameAllowed: row.hostname_allowed,
  dataEnabled: row.data_enabled,
  vpnEnabled: row.vpn_enabled,
  vpnPairingMode: row.vpn_pairing_mode,
  vpnOtpRequired: row.vpn_otp_required,
  ipAddressesWhitelist: row.ip_addresses_whitelist,
  secondFactorRequired: row.second_factor_required,
  ...(row.start_page !== null && { startPage: row.start_page }),
  userCanAccess,
  storeEnabled: row.store_enabled,
  dealer: row.dealer,
  hasOwnResources: row.has_own_resources,
  selected: org !== undefined && (org === row.resource_id || org === String(row.id)),
})

const columns = {
  label: 'label',
  hostname: 'hostname',
  allowHostname: 'hostname_allowed',
  privateAccess: 'private_access',
  allowDisablePrivateAccess: 'allow_disable_private_access',
  dataEnabled: 'data_enabled',
  vpnEnabled: 'vpn_enabled',
  vpnOtpRequired: 'vpn_otp_required',
  ipAddressesWhitelist: 'ip_addresses_whitelist',
  secondFactorRequired: 'second_factor_required',
  startPage: 'start_page',
  storeEnabled: 'store_enabled',
  dealer: 'dealer',
} as const
export type Field = keyof typeof columns

/** The columns that a change names; what it does not name stays. */
export const columnsOfChange = (change: OrganizationChange) =>
  Object.fromEntries(
    Object.entries(columns).flatMap(([field, column]) => {
      const value = change[field as Field]
      return value === undefined ? [] : [[column, value]]
    }),
  )

/** The fields that a change really changes. */
export const changedFields = (row: Row, change: OrganizationChange): Field[] =>
  (Object.entries(columns) as [Field, keyof Row][]).flatMap(([field, column]) => {
    const value = change[field]
    return value === undefined || JSON.stringify(value) === JSON.stringify(row[column])
      ? []
      : [field]
  })

/** Values of some fields of a row. */
export const valuesOf = (row: Row, fields: readonly Field[]) =>
  Object.fromEntries(fields.map((field) => [field, row[columns[field]]]))

/** Features that organizations below may get: those of the organization; a root may also give what is not a feature of its own. */
export const grantsOf = (row: Omit<Row, 'id'>): Grants => {
  const root = row.parent === null
  return {
    allowEnableDealerOnSuborg: root || row.dealer,
    allowEnableHostnameOnSuborg: root || row.hostname_allowed,
    allowEnableOwnResourcesOnSuborg: row.has_own_resources,
    allowEnableIotOnSuborg: row.data_enabled,
    allowEnableVpnOnSuborg: row.vpn_enabled,
    allowEnableStoreOnSuborg: root || row.store_enabled,
    // Closing oneself in is never withheld.
    allowEnableIpFilteringOnSuborg: true,
    allowEnablePrivateAccessOnSuborg: true,
  }
}

/** Flags that an organization has only if the one above it has them too. */
const bound = {
  dataEnabled: 'allowEnableIotOnSuborg',
  vpnEnabled: 'allowEnableVpnOnSuborg',
  storeEnabled: 'allowEnableStoreOnSuborg',
  dealer: 'allowEnableDealerOnSuborg',
  allowHostname: 'allowEnableHostnameOnSuborg',
} as const satisfies Partial<Record<Field, keyof Grants>>
type Bound = keyof typeof bound
const boundFields = Object.keys(bound) as Bound[]

/** The first field by which a sub-organization would get what the one above it lacks. */
export function beyondParent(change: OrganizationChange, parent: Row | undefined) {
  if (parent === undefined) return undefined
  const grants = grantsOf(parent)
  return boundFields.find((field) => change[field] === true && !grants[bound[field]])
}

/** The first flag that a change turns on of those that come from the organization above. */
export const firstTurnedOn = (row: Row, change: OrganizationChange) =>
  boundFields.find((field) => change[field] === true && !row[columns[field]])

/** May an organization have a host name of its own, after the change? A root may, others if allowed. */
export const mayHaveHostname = (row: Row | undefined, change: OrganizationChange) =>
  row?.parent === null || (change.allowHostname ?? row?.hostname_allowed ?? false)

/** Check for a change that takes the host name away, since the organization may not have one any more. */
export const losesHostname = (row: Row, change: OrganizationChange) =>
  change.allowHostname === false && row.parent !== null

/** The columns that go off in every organization below, since the change turns them off here. */
export function columnsOffBelow(row: Row, change: OrganizationChange) {
  const root = row.parent === null
  // A root gives these three to those below without having them itself.
  const givenAnyway: readonly Field[] = root ? ['dealer', 'storeEnabled', 'allowHostname'] : []
  return boundFields
    .filter(
      (field) => change[field] === false && row[columns[field]] && !givenAnyway.includes(field),
    )
    .map((field) => ({ field, column: columns[field] }))
}
