import { IconMap2 } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const deviceMapSection: Section = {
  id: 'device-map',
  homeId: 'devicemap',
  path: '/devicemap',
  icon: IconMap2,
  group: 'monitor',
  key: 'k',
  feature: 'iot',
  permissions: [['models:read'], ['devices:read']],
  words: ['devices'],
  pages: [{ path: '/devicemap', load: () => import('./DeviceMapPage.tsx') }],
}
