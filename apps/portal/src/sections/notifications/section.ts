import { IconBell } from '@tabler/icons-react'
import { withWords } from '../../parts/words/spoken-words.ts'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/notifications': { unread?: string; message?: string }
    '/notifications/why': { alarm?: string; user?: string; delivery?: string }
  }
}

export const section: Section = {
  id: 'notifications',
  path: '/notifications',
  icon: IconBell,
  name: {
    en: 'Notifications',
    de: 'Benachrichtigungen',
    es: 'Notificaciones',
    fr: 'Notifications',
    it: 'Notifiche',
  },
  group: 'monitor',
  order: 47,
  home: 130,
  feature: 'iot',
  permissions: [['notifications:read']],
  words: ['alarm'],
  pages: [
    { path: '/notifications', load: () => import('./InboxPage.tsx') },
    {
      path: '/notifications/why',
      load: () => withWords(import('./WhyPage.tsx'), 'why', 'notifications-admin'),
    },
  ],
}
