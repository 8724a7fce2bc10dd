import { IconBellCog } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

declare module '../../parts/pages/page-links.ts' {
  // oxlint-disable-next-line typescript/consistent-type-definitions -- only an interface joins the one of links
  interface PageAddresses {
    '/admin/notifications': { tab?: string; state?: string; schedule?: string }
  }
}

export const section: Section = {
  id: 'notifications-admin',
  path: '/admin/notifications',
  icon: IconBellCog,
  name: {
    en: 'Notification rules',
    de: 'Benachrichtigungsregeln',
    es: 'Reglas de notificación',
    fr: 'Règles de notification',
    it: 'Regole di notifica',
  },
  group: 'administer',
  order: 115,
  feature: 'iot',
  permissions: [['organizations:read'], ['organizations:update']],
  words: ['alarm', 'on-call', 'pulse'],
  pages: [{ path: '/admin/notifications', load: () => import('./NotificationsAdminPage.tsx') }],
}
