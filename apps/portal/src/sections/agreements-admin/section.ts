import { IconFileCheck } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const agreementsAdminSection: Section = {
  id: 'agreements-admin',
  path: '/agreements-admin',
  icon: IconFileCheck,
  group: 'administer',
  permissions: [['organizations:update']],
  root: true,
  words: ['agreements'],
  pages: [{ path: '/agreements-admin', load: () => import('./AgreementsAdminPage.tsx') }],
}
