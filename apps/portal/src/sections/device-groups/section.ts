import { IconStack2 } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'device-groups',
  path: '/devices/groups',
  icon: IconStack2,
  name: {
    en: 'Device groups',
    de: 'Gerätegruppen',
    es: 'Grupos de dispositivos',
    fr: 'Groupes d’appareils',
    it: 'Gruppi di dispositivi',
  },
  group: 'administer',
  order: 100,
  menu: [['devicegroups:create', 'devicegroups:update', 'devicegroups:delete', 'audit:access']],
  permissions: [['devices:read'], ['devicegroups:read']],
  words: ['access'],
  pages: [
    { path: '/devices/groups', load: () => import('./DeviceGroupsPage.tsx') },
    { path: '/devices/groups/$groupId', load: () => import('./DeviceGroupPage.tsx') },
  ],
}
