import { IconUserCircle } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

/** One's own account; reached from the menu of the person. */
export const section: Section = {
  id: 'account',
  path: '/account',
  icon: IconUserCircle,
  name: {
    en: 'My account',
    de: 'Mein Konto',
    es: 'Mi cuenta',
    fr: 'Mon compte',
    it: 'Il mio account',
  },
  order: 160,
  permissions: [],
  words: ['access'],
  pages: [{ path: '/account', load: () => import('./AccountPage.tsx') }],
}
