import { IconBinaryTree2 } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const modelsSection: Section = {
  id: 'models',
  path: '/models',
  icon: IconBinaryTree2,
  group: 'administer',
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
