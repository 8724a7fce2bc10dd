import { IconCpu } from '@tabler/icons-react'
import type { Section } from '../../lib/section.ts'

export const devicesSection: Section = {
  id: 'devices',
  path: '/devices',
  icon: IconCpu,
  group: 'monitor',
  key: 'd',
  permissions: [['devices:read']],
  pages: [
    { path: '/devices', load: () => import('./DevicesPage.tsx') },
    { path: '/devices/$deviceId', load: () => import('./DevicePage.tsx') },
  ],
}
