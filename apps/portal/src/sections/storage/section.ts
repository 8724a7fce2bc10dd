import { IconDatabase } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'storage',
  path: '/storage',
  icon: IconDatabase,
  name: {
    en: 'Storage',
    de: 'Speicher',
    es: 'Almacenamiento',
    fr: 'Stockage',
    it: 'Archiviazione',
  },
  group: 'administer',
  order: 140,
  menu: [['organizations:update', 'audit:access']],
  permissions: [['organizations:read']],
  words: ['alarm-retention'],
  pages: [{ path: '/storage', load: () => import('./StoragePage.tsx') }],
}
