import { IconLayoutDashboard } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const overviewSection: Section = {
  id: 'overview',
  path: '/overview',
  icon: IconLayoutDashboard,
  group: 'monitor',
  key: 'h',
  permissions: [['devices:read', 'users:read', 'organizations:read']],
  pages: [{ path: '/overview', load: () => import('./OverviewPage.tsx') }],
}
