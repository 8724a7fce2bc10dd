import { IconMap2 } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/devicemap': { at?: string }
  }
}

export const section: Section = {
  id: 'device-map',
  path: '/devicemap',
  icon: IconMap2,
  name: {
    en: 'Device map',
    de: 'Gerätekarte',
    es: 'Mapa de dispositivos',
    fr: 'Carte des appareils',
    it: 'Mappa dei dispositivi',
  },
  group: 'monitor',
  order: 30,
  home: 40,
  key: 'k',
  feature: 'iot',
  permissions: [['models:read'], ['devices:read']],
  words: ['devices', 'alarm', 'device-alarms'],
  pages: [{ path: '/devicemap', load: () => import('./DeviceMapPage.tsx') }],
}
