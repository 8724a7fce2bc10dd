import { IconRoute } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'walkthrough',
  path: '/walkthrough',
  icon: IconRoute,
  name: {
    en: 'Walkthrough',
    de: 'Rundgang',
    es: 'Recorrido guiado',
    fr: 'Visite guidée',
    it: 'Percorso guidato',
  },
  group: 'connect',
  order: 170,
  home: 120,
  feature: 'iot',
  permissions: [['models:read'], ['devices:create']],
  words: ['devices'],
  pages: [{ path: '/walkthrough', load: () => import('./WalkthroughPage.tsx') }],
}
