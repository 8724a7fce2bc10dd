import {
  hasCapability,
  type ProductCapability,
} from '@longreach/authorization/product-capabilities'
import type { Organization } from '../../parts/session/session.ts'
import type { StartPage } from '../../parts/look/start-page.ts'
import type { Change } from './organization-calls.ts'

/** The fields of an organization that a person edits, as its answer names them. */
export type Values = Pick<
  Organization,
  | 'label'
  | 'dataEnabled'
  | 'vpnEnabled'
  | 'vpnOtpRequired'
  | 'storeEnabled'
  | 'dealer'
  | 'hostnameAllowed'
  | 'privateAccess'
  | 'allowDisablePrivateAccess'
  | 'secondFactorRequired'
  | 'ipAddressesWhitelist'
> & { hostname: string; startPage: StartPage }
export type ValueName = keyof Values

export const valuesOf = (organization: Organization): Values => ({
  ...organization,
  hostname: organization.hostname ?? '',
  startPage: organization.startPage ?? 'HOME',
})

const partOf: Partial<Record<ValueName, ProductCapability>> = {
  vpnEnabled: 'remoteAccess',
  vpnOtpRequired: 'remoteAccess',
  storeEnabled: 'appStore',
  dealer: 'dealer',
}

/** A flag is shown where this version of the product has what it switches. */
export function isFlagOffered(name: ValueName) {
  const part = partOf[name]
  return part === undefined || hasCapability(part)
}

/** Two fields have another name, or another form, when they are sent. */
const sent: Partial<Record<ValueName, string>> = { hostnameAllowed: 'allowHostname' }
export const sentName = (name: ValueName) => sent[name] ?? name

/** Body with the changed fields among the named ones; undefined when none changed. */
export function changeOf(
  before: Values,
  after: Values,
  names: readonly ValueName[],
): Change | undefined {
  const changed = names.filter(
    (name) => JSON.stringify(before[name]) !== JSON.stringify(after[name]),
  )
  if (changed.length === 0) return undefined
  return Object.fromEntries(
    changed.map((name) => [
      sentName(name),
      name === 'hostname' ? after.hostname.trim() || null : after[name],
    ]),
  )
}
