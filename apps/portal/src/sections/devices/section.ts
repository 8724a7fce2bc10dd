import { IconCpu } from '@tabler/icons-react'
import type { Section } from '../../lib/section.ts'
import { needWords } from '../../lib/spoken-words.ts'

export const devicesSection: Section = {
  id: 'devices',
  path: '/devices',
  icon: IconCpu,
  group: 'monitor',
  key: 'd',
  permissions: [['devices:read']],
  pages: [
    { path: '/devices', load: () => import('./DevicesPage.tsx') },
    { path: '/devices/trash', load: () => import('./TrashPage.tsx') },
    { path: '/devices/$deviceId', load: devicePage },
  ],
}

/** With its words, which the list does not need. */
async function devicePage() {
  const [page] = await Promise.all([import('./DevicePage.tsx'), needWords('device-page')])
  return page
}
