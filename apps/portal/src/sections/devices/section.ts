import { IconCpu } from '@tabler/icons-react'
import type { PageModule, Section } from '../../parts/pages/section.ts'
import { needWords } from '../../parts/words/spoken-words.ts'

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
  jobs: ['mappings', 'platform'],
  pages: [
    { path: '/devices', load: () => import('./list/DevicesPage.tsx') },
    { path: '/devices/trash', load: () => import('./list/TrashPage.tsx') },
    {
      path: '/devices/import',
      permissions: [['devices:create']],
      load: () => importing(() => import('./bring-in/ImportPage.tsx')),
    },
    { path: '/devices/labels', load: () => importing(() => import('./bring-in/LabelsPage.tsx')) },
    { path: '/devices/$deviceId', load: devicePage },
  ],
}

/** Of these devices, what other sections show too: loaded when it is shown. */
export const deviceParts = {
  panel: async () => ({ default: (await import('./list/DevicePanel.tsx')).DevicePanel }),
  filters: async () => ({ default: (await import('./list/FilterBar.tsx')).FilterBar }),
  figures: async () => ({ default: (await import('./list/DeviceListParts.tsx')).DeviceFigures }),
}

/** A page about bringing devices in, with its words. */
async function importing(load: () => Promise<PageModule>) {
  const [page] = await Promise.all([load(), needWords('device-import', 'jobs')])
  return page
}

/** With its words, which the list does not need. */
async function devicePage() {
  const [page] = await Promise.all([import('./page/DevicePage.tsx'), needWords('device-page')])
  return page
}
