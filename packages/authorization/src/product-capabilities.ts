/**
 * Parts of the product and whether this version has them. The portal hides permissions, switches,
 * tabs and sentences of missing parts; the wire knows all permissions, because clients name them.
 */
export const productCapabilities = {
  alarms: true,
  appStore: false,
  dashboards: false,
  dealer: false,
  licenses: false,
  notifications: true,
  remoteAccess: false,
  triggers: true,
}
export type ProductCapability = keyof typeof productCapabilities

export const hasCapability = (name: ProductCapability) => productCapabilities[name]
