import { IconMail } from '@tabler/icons-react'
import type { Section } from '../../lib/section.ts'

export const mailsSection: Section = {
  id: 'mails',
  path: '/mails',
  icon: IconMail,
  group: 'administer',
  permissions: [['users:read']],
  pages: [{ path: '/mails', load: () => import('./MailsPage.tsx') }],
}
