import { IconBuildingCommunity } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'organizations',
  path: '/organizations',
  icon: IconBuildingCommunity,
  name: {
    en: 'Organizations',
    de: 'Organisationen',
    es: 'Organizaciones',
    fr: 'Organisations',
    it: 'Organizzazioni',
  },
  group: 'administer',
  order: 70,
  home: 70,
  menu: [['organizations:create', 'organizations:update', 'organizations:delete', 'audit:access']],
  key: 'o',
  permissions: [['organizations:read']],
  pages: [
    { path: '/organizations', load: () => import('./OrganizationsPage.tsx') },
    { path: '/organizations/resources', load: () => import('./ResourcesPage.tsx') },
    { path: '/organizations/consumptions', load: () => import('./ConsumptionsPage.tsx') },
  ],
}
