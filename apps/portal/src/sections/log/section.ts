import { IconListSearch } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const logSection: Section = {
  id: 'log',
  path: '/log',
  icon: IconListSearch,
  group: 'administer',
  key: 'l',
  permissions: [['audit:access'], ['roles:read']],
  pages: [{ path: '/log', load: () => import('./LogPage.tsx') }],
}
