import { IconMail } from '@tabler/icons-react'
import type { Section } from '../../parts/pages/section.ts'

export const mailsSection: Section = {
  id: 'mails',
  path: '/mails',
  icon: IconMail,
  group: 'administer',
  menu: [['users:create', 'users:update', 'audit:access']],
  permissions: [['users:read']],
  pages: [
    { path: '/mails', load: () => import('./MailsPage.tsx') },
    {
      path: '/log/failed-notifications',
      permissions: [['audit:access'], ['roles:read']],
      load: () => import('./FailedMailsPage.tsx'),
    },
  ],
}
