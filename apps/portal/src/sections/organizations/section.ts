import { IconBuildingCommunity } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const organizationsSection: Section = {
  id: 'organizations',
  path: '/organizations',
  icon: IconBuildingCommunity,
  group: 'administer',
  menu: [['organizations:create', 'organizations:update', 'organizations:delete', 'audit:access']],
  key: 'o',
  permissions: [['organizations:read']],
  pages: [
    { path: '/organizations', load: () => import('./OrganizationsPage.tsx') },
    { path: '/organizations/resources', load: () => import('./ResourcesPage.tsx') },
    { path: '/organizations/consumptions', load: () => import('./ConsumptionsPage.tsx') },
  ],
}
