import { IconListSearch } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'log',
  path: '/log',
  icon: IconListSearch,
  name: {
    en: 'Audit trail',
    de: 'Audit-Protokoll',
    es: 'Registro de auditoría',
    fr: 'Journal d’audit',
    it: 'Registro di audit',
  },
  group: 'administer',
  order: 150,
  key: 'l',
  permissions: [['audit:access'], ['roles:read']],
  pages: [{ path: '/log', load: () => import('./LogPage.tsx') }],
}
