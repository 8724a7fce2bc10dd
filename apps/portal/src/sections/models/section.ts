import { IconBinaryTree2 } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'models',
  path: '/models',
  icon: IconBinaryTree2,
  name: {
    en: 'Models',
    de: 'Modelle',
    es: 'Modelos',
    fr: 'Modèles',
    it: 'Modelli',
  },
  group: 'administer',
  order: 60,
  menu: [['models:create', 'models:update', 'models:delete', 'audit:access']],
  key: 'm',
  feature: 'iot',
  permissions: [['models:read']],
  words: ['problems'],
  pages: [
    { path: '/models', load: () => import('./ModelsPage.tsx') },
    {
      path: '/models/new',
      permissions: [['models:create']],
      load: () => import('./NewModelPage.tsx'),
    },
    { path: '/models/$modelId', load: () => import('./ModelPage.tsx') },
  ],
}
