import { IconRoute } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const walkthroughSection: Section = {
  id: 'walkthrough',
  path: '/walkthrough',
  icon: IconRoute,
  group: 'connect',
  feature: 'iot',
  permissions: [['models:read'], ['devices:create']],
  words: ['devices'],
  pages: [{ path: '/walkthrough', load: () => import('./WalkthroughPage.tsx') }],
}
