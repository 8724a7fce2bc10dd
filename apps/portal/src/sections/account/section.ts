import { IconUserCircle } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

/** One's own account; reached from the menu of the person. */
export const accountSection: Section = {
  id: 'account',
  path: '/account',
  icon: IconUserCircle,
  permissions: [],
  words: ['access'],
  pages: [{ path: '/account', load: () => import('./AccountPage.tsx') }],
}
