import { IconUsersGroup } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/permission': { person?: string; role?: string }
    '/permission/groups': { group?: string }
  }
}

export const section: Section = {
  id: 'permission',
  path: '/permission',
  icon: IconUsersGroup,
  name: {
    en: 'People and groups',
    de: 'Personen und Gruppen',
    es: 'Personas y grupos',
    fr: 'Personnes et groupes',
    it: 'Persone e gruppi',
  },
  group: 'administer',
  order: 80,
  home: 80,
  key: 'p',
  permissions: [['roles:read', 'users:read', 'usergroups:read']],
  words: ['access'],
  pages: [
    { path: '/permission', load: () => import('./PeoplePage.tsx') },
    { path: '/permission/groups', load: () => import('./GroupsPage.tsx') },
    { path: '/permission/roles', load: () => import('./HoldersPage.tsx') },
  ],
}
