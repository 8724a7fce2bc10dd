import { IconPlugConnected } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/presets/$presetId': { device?: string }
  }
}

export const section: Section = {
  id: 'presets',
  path: '/presets',
  icon: IconPlugConnected,
  name: {
    en: 'Presets',
    de: 'Vorlagen',
    es: 'Preajustes',
    fr: 'Préréglages',
    it: 'Preset',
  },
  group: 'administer',
  order: 50,
  menu: [['models:create', 'models:update', 'models:delete', 'audit:access']],
  key: 's',
  feature: 'iot',
  permissions: [['models:read']],
  words: ['jobs', 'problems'],
  jobs: ['mappings'],
  pages: [
    { path: '/presets', load: () => import('./PresetsPage.tsx') },
    { path: '/presets/$presetId', load: () => import('./PresetEditorPage.tsx') },
  ],
}
