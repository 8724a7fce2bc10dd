import type { Permission } from '@longreach/authorization/permissions'

/** Tabs of a device's page, in their order, with what they are called. */
export const tabWords = {
  overview: 'devices.tab.overview',
  values: 'devices.tab.values',
  chart: 'device-page.tab.data',
  configuration: 'devices.tab.configuration',
  log: 'device-page.tab.log',
  connection: 'devices.tab.connection',
  timeline: 'device-page.tab.timeline',
  console: 'devices.tab.console',
  access: 'devices.tab.access',
  audit: 'devices.tab.audit',
  // Last: that a device is a gateway is known a little later, and no tab may move then.
  sources: 'devices.tab.sources',
} as const
export type Tab = keyof typeof tabWords

/** What a tab is about that not everybody may see. */
const needed: Partial<Record<Tab, Permission>> = { access: 'users:read', audit: 'audit:access' }

/** The tabs that a person is shown. */
export const tabsFor = (may: (permission: Permission) => boolean) =>
  (Object.keys(tabWords) as Tab[]).filter((tab) => {
    // its keys are the tabs
    const permission = needed[tab]
    return permission === undefined || may(permission)
  })

/** Keys of the address that mean something else on every tab. */
export const tabKeys = ['range', 'kind', 'system', 'against'] as const
