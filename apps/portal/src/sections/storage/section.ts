import { IconDatabase } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const storageSection: Section = {
  id: 'storage',
  path: '/storage',
  icon: IconDatabase,
  group: 'administer',
  menu: [['organizations:update', 'audit:access']],
  permissions: [['organizations:read']],
  pages: [{ path: '/storage', load: () => import('./StoragePage.tsx') }],
}
