import { Mails } from './MailsPage.tsx'

/** Notifications that reached nobody: mails that the mail server refused for good. */
export const Component = () => <Mails failed />
