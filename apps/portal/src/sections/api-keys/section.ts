import { IconKey } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const apiKeysSection: Section = {
  id: 'api-keys',
  path: '/apikeys',
  icon: IconKey,
  group: 'administer',
  menu: [['users:update', 'devices:create', 'audit:access']],
  permissions: [],
  words: ['access'],
  pages: [{ path: '/apikeys', load: () => import('./ApiKeysPage.tsx') }],
}
