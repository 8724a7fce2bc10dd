import { IconChartDots } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const dataExploreSection: Section = {
  id: 'data-explore',
  path: '/data-explore',
  icon: IconChartDots,
  group: 'monitor',
  key: 'e',
  feature: 'iot',
  words: ['problems'],
  permissions: [['models:read'], ['devices:read']],
  pages: [{ path: '/data-explore', load: () => import('./ExplorePage.tsx') }],
}
