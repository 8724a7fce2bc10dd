import type { Permission } from '@longreach/authorization/permissions'

/** Tabs of a device's page, in their order, with what they are called. */
export const tabWords = {
  overview: 'devices.tab.overview',
  data: 'device-page.tab.data',
  alarms: 'device-alarms.tab',
  history: 'devices.tab.history',
  configuration: 'devices.tab.configuration',
  access: 'devices.tab.access',
  service: 'device-page.tab.service',
} as const
export type Tab = keyof typeof tabWords

/** Parts of the tab for service, each with an address of its own. */
export const servicePartWords = {
  log: 'device-page.tab.log',
  console: 'devices.tab.console',
  // Last: that a device is a gateway is known a little later, and no part may move then.
  gateway: 'devices.tab.sources',
} as const
export type ServicePart = keyof typeof servicePartWords

/** Permissions that a person needs to see a tab. */
const needed: Partial<Record<Tab, Permission>> = {
  access: 'users:read',
  alarms: 'alarms:read',
}

/** The tabs that a person is shown. */
export const tabsFor = (may: (permission: Permission) => boolean) =>
  (Object.keys(tabWords) as Tab[]).filter((tab) => {
    // its keys are the tabs
    const permission = needed[tab]
    return permission === undefined || may(permission)
  })

/** Keys of the address that mean something else on every tab. */
export const tabKeys = ['range', 'kind', 'system', 'against', 'part', 'alarm'] as const

/** Addresses that replace those of former tabs; links to the former ones stand in mails and bookmarks. */
const former: Record<string, Record<string, string>> = {
  values: { tab: 'data' },
  chart: { tab: 'data' },
  timeline: { tab: 'history' },
  connection: { tab: 'history', kind: 'connection' },
  audit: { tab: 'history', kind: 'audit' },
  log: { tab: 'service', part: 'log' },
  console: { tab: 'service', part: 'console' },
  sources: { tab: 'service', part: 'gateway' },
}

/** Address that replaces one of a former tab; undefined for a current tab. */
export const movedTab = (tab: string | undefined) =>
  tab !== undefined && Object.hasOwn(former, tab) ? former[tab] : undefined
