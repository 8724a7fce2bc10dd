import { IconShieldLock } from '@tabler/icons-react'
import type { Section } from '../../lib/section.ts'

export const rolesSection: Section = {
  id: 'roles',
  path: '/roles',
  icon: IconShieldLock,
  group: 'administer',
  key: 'r',
  permissions: [['roles:read']],
  words: ['access'],
  pages: [
    { path: '/roles', load: () => import('./RolesPage.tsx') },
    { path: '/roles/data', load: () => import('./RolesPage.tsx') },
    { path: '/roles/device', load: () => import('./RolesPage.tsx') },
    { path: '/roles/$roleId', load: () => import('./RolePage.tsx') },
  ],
}
