import { IconPlugConnected } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const presetsSection: Section = {
  id: 'presets',
  path: '/presets',
  icon: IconPlugConnected,
  group: 'administer',
  menu: [['models:create', 'models:update', 'models:delete', 'audit:access']],
  key: 's',
  feature: 'iot',
  permissions: [['models:read']],
  words: ['jobs', 'problems'],
  pages: [
    { path: '/presets', load: () => import('./PresetsPage.tsx') },
    { path: '/presets/$presetId', load: () => import('./PresetEditorPage.tsx') },
  ],
}
