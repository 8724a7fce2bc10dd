import { IconListSearch } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

export const section: Section = {
  id: 'log',
  path: '/log',
  icon: IconListSearch,
  name: {
    en: 'Log',
    de: 'Protokoll',
    es: 'Registro',
    fr: 'Journal',
    it: 'Registro',
  },
  group: 'administer',
  order: 150,
  key: 'l',
  permissions: [['audit:access'], ['roles:read']],
  pages: [
    { path: '/log', load: () => withWords(import('./LogPage.tsx'), 'whole-log') },
    {
      path: '/log/failed-notifications',
      load: () => withWords(import('./FailedNotificationsPage.tsx'), 'whole-log'),
    },
  ],
}
