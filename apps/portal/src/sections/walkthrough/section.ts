import { IconRoute } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'
import type { Kind } from './walkthrough-url.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/walkthrough': { kind?: Kind; device?: string; step?: string }
  }
}

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
