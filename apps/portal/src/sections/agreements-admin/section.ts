import { IconFileCheck } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'agreements-admin',
  path: '/agreements-admin',
  icon: IconFileCheck,
  name: {
    en: 'Agreements',
    de: 'Vereinbarungen',
    es: 'Acuerdos',
    fr: 'Accords',
    it: 'Accordi',
  },
  group: 'administer',
  order: 120,
  permissions: [['organizations:update']],
  root: true,
  words: ['agreements'],
  pages: [{ path: '/agreements-admin', load: () => import('./AgreementsAdminPage.tsx') }],
}
