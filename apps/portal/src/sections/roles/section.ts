import { IconShieldLock } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

export const section: Section = {
  id: 'roles',
  path: '/roles',
  icon: IconShieldLock,
  name: {
    en: 'Roles',
    de: 'Rollen',
    es: 'Roles',
    fr: 'Rôles',
    it: 'Ruoli',
  },
  group: 'administer',
  order: 90,
  home: 90,
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

/** Of roles, what other sections show too: loaded when it is shown. */
export const roleParts = {
  impact: () => withWords(import('./ImpactDialog.tsx'), 'roles'),
}
