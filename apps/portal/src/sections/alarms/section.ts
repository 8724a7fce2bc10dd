import { IconBellRinging } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/alarms': AlarmSearch
    '/alarms/alarms-history': AlarmSearch & { range?: string }
  }
}

type AlarmSearch = { severity?: string; q?: string; device?: string; rule?: string; alarm?: string }

export const section: Section = {
  id: 'alarms',
  path: '/alarms',
  icon: IconBellRinging,
  name: {
    en: 'Alarms',
    de: 'Alarme',
    es: 'Alarmas',
    fr: 'Alarmes',
    it: 'Allarmi',
  },
  group: 'monitor',
  order: 45,
  home: 60,
  key: 'a',
  feature: 'iot',
  permissions: [['devices:read']],
  menu: [['alarms:read']],
  words: ['alarm'],
  pages: [{ path: '/alarms', load: () => import('./AlarmsPage.tsx') }],
}
