import { IconUsersGroup } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const permissionSection: Section = {
  id: 'permission',
  path: '/permission',
  icon: IconUsersGroup,
  group: 'administer',
  key: 'p',
  permissions: [['roles:read', 'users:read', 'usergroups:read']],
  words: ['access'],
  pages: [
    { path: '/permission', load: () => import('./PeoplePage.tsx') },
    { path: '/permission/groups', load: () => import('./GroupsPage.tsx') },
    { path: '/permission/roles', load: () => import('./HoldersPage.tsx') },
  ],
}
