import { IconKey } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'api-keys',
  path: '/apikeys',
  icon: IconKey,
  name: {
    en: 'API keys',
    de: 'API-Schlüssel',
    es: 'Claves de API',
    fr: 'Clés d’API',
    it: 'Chiavi API',
  },
  group: 'administer',
  order: 110,
  menu: [['users:update', 'devices:create', 'audit:access']],
  permissions: [],
  words: ['access'],
  pages: [{ path: '/apikeys', load: () => import('./ApiKeysPage.tsx') }],
}
