import type { Organization } from './session.ts'

/** An organization with all features on, whose label is its name with a capital. */
export const organizationOf = (name: string, more: Partial<Organization> = {}): Organization => ({
  id: 1,
  name,
  label: name.charAt(0).toUpperCase() + name.slice(1),
  status: 'ACTIVE',
  resourceId: name,
  realmName: name,
  privateAccess: false,
  allowDisablePrivateAccess: false,
  hostname: null,
  hostnameAllowed: false,
  dataEnabled: true,
  vpnEnabled: true,
  vpnPairingMode: 'CC2',
  vpnOtpRequired: false,
  ipAddressesWhitelist: [],
  secondFactorRequired: false,
  userCanAccess: true,
  storeEnabled: false,
  dealer: false,
  hasOwnResources: true,
  selected: false,
  ...more,
})
