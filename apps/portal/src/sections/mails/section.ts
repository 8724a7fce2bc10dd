import { IconMail } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const section: Section = {
  id: 'mails',
  path: '/mails',
  icon: IconMail,
  name: {
    en: 'Emails',
    de: 'E-Mails',
    es: 'Correos',
    fr: 'E-mails',
    it: 'E-mail',
  },
  group: 'administer',
  order: 130,
  menu: [['users:create', 'users:update', 'audit:access']],
  permissions: [['users:read']],
  pages: [{ path: '/mails', load: () => import('./MailsPage.tsx') }],
}
