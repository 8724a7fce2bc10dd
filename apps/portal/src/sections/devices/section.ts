import { IconCpu } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'
import { withWords } from '../../parts/words/spoken-words.ts'
import type { Tab } from './page/device-tabs.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/devices': { view?: 'table' | 'cards' }
    '/devices/$deviceId': { tab?: Tab }
    '/devices/labels': { device: string[] }
  }
}

export const section: Section = {
  id: 'devices',
  path: '/devices',
  icon: IconCpu,
  name: {
    en: 'Devices',
    de: 'Geräte',
    es: 'Dispositivos',
    fr: 'Appareils',
    it: 'Dispositivi',
  },
  group: 'monitor',
  order: 20,
  home: 20,
  key: 'd',
  permissions: [['devices:read']],
  words: ['alarm', 'device-alarms'],
  jobs: ['mappings', 'platform'],
  pages: [
    { path: '/devices', load: () => import('./list/DevicesPage.tsx') },
    { path: '/devices/trash', load: () => import('./list/TrashPage.tsx') },
    {
      path: '/devices/import',
      permissions: [['devices:create']],
      load: () => withWords(import('./bring-in/ImportPage.tsx'), 'device-import', 'jobs'),
    },
    {
      path: '/devices/labels',
      load: () => withWords(import('./bring-in/LabelsPage.tsx'), 'device-import', 'jobs'),
    },
    {
      path: '/devices/$deviceId',
      load: () => withWords(import('./page/DevicePage.tsx'), 'device-page'),
    },
  ],
}

/** Of these devices, what other sections show too: loaded when it is shown. */
export const deviceParts = {
  panel: () => import('./list/DevicePanel.tsx'),
  filters: () => import('./list/FilterBar.tsx'),
  figures: () => import('./list/DeviceListParts.tsx'),
}
