import { IconChartDots } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/data-explore': { s?: string[]; range?: string }
  }
}

export const section: Section = {
  id: 'data-explore',
  path: '/data-explore',
  icon: IconChartDots,
  name: {
    en: 'Data explorer',
    de: 'Datenexplorer',
    es: 'Explorador de datos',
    fr: 'Explorateur de données',
    it: 'Esplora dati',
  },
  group: 'monitor',
  order: 40,
  home: 50,
  key: 'e',
  feature: 'iot',
  words: ['problems', 'saved-views'],
  permissions: [['models:read'], ['devices:read']],
  jobs: ['platform'],
  pages: [{ path: '/data-explore', load: () => import('./ExplorePage.tsx') }],
}
