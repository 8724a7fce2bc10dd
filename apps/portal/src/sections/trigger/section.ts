import { IconBolt } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'
import { withWords } from '../../parts/words/spoken-words.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/trigger': { q?: string; state?: string; trigger?: string }
    '/trigger/actions': Record<string, never>
    '/trigger/new': { from?: string }
    '/trigger/$triggerId': { range?: string; kind?: string; run?: string }
    '/trigger/$triggerId/edit': Record<string, never>
  }
}

/** Words beside those of the editor: names of severities, faults of rules, names of rights. */
const besideEditor = ['alarm', 'alarm-rules', 'access'] as const

export const section: Section = {
  id: 'trigger',
  path: '/trigger',
  icon: IconBolt,
  name: {
    en: 'Triggers',
    de: 'Auslöser',
    es: 'Disparadores',
    fr: 'Déclencheurs',
    it: 'Trigger',
  },
  group: 'administer',
  order: 117,
  feature: 'iot',
  permissions: [['organizations:read']],
  menu: [
    [
      'triggers:create',
      'triggers:update',
      'triggers:delete',
      'organizations:update',
      'audit:access',
    ],
  ],
  pages: [
    { path: '/trigger', load: () => import('./list/TriggersPage.tsx') },
    {
      path: '/trigger/new',
      permissions: [['triggers:create', 'organizations:update']],
      load: () =>
        withWords(
          import('./editor/NewTriggerPage.tsx'),
          'trigger-editor',
          'trigger-trial',
          ...besideEditor,
        ),
    },
    {
      path: '/trigger/actions',
      load: () => withWords(import('./allowed/AllowedActionsPage.tsx'), 'trigger-actions'),
    },
    {
      path: '/trigger/$triggerId',
      load: () => withWords(import('./activity/TriggerPage.tsx'), 'trigger-runs'),
    },
    {
      path: '/trigger/$triggerId/edit',
      load: () =>
        withWords(
          import('./editor/EditTriggerPage.tsx'),
          'trigger-editor',
          'trigger-trial',
          ...besideEditor,
        ),
    },
  ],
}
