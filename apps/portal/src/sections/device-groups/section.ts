import { IconStack2 } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const deviceGroupsSection: Section = {
  id: 'device-groups',
  path: '/devices/groups',
  icon: IconStack2,
  group: 'administer',
  menu: [['devicegroups:create', 'devicegroups:update', 'devicegroups:delete', 'audit:access']],
  permissions: [['devices:read'], ['devicegroups:read']],
  words: ['access'],
  pages: [
    { path: '/devices/groups', load: () => import('./DeviceGroupsPage.tsx') },
    { path: '/devices/groups/$groupId', load: () => import('./DeviceGroupPage.tsx') },
  ],
}
