import type { Resource } from './permissions.ts'

/**
 * Parts of the product and whether this version has them. The portal hides permissions, switches,
 * tabs and sentences of missing parts; the wire knows all permissions, because clients name them.
 */
export const productCapabilities = {
  alarms: false,
  appStore: false,
  dashboards: false,
  dealer: false,
  licenses: false,
  notifications: false,
  remoteAccess: false,
  triggers: false,
}
export type ProductCapability = keyof typeof productCapabilities

/** Part of the product that a resource type belongs to; absent: always present. */
const partOf: Partial<Record<Resource, ProductCapability>> = {
  alarms: 'alarms',
  dashboards: 'dashboards',
  notifications: 'notifications',
  products: 'licenses',
  triggers: 'triggers',
  vpn: 'remoteAccess',
}

export const hasCapability = (name: ProductCapability) => productCapabilities[name]

/** True when the part of the product that the resource type belongs to is present. */
export function isOffered(resource: Resource) {
  const part = partOf[resource]
  return part === undefined || hasCapability(part)
}
