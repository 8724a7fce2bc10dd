import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import { api } from '../../../parts/api/api.ts'
import type { LogLine, LogSource } from '../log-source.ts'

type Mail = Result<typeof coreContract.endpoints.mails>['content'][number]

/** Mails about accounts that the mail server refused for good. They are of one organization, and of no device. */
export const mailSource: LogSource = {
  name: 'mail',
  needs: ['users:read'],
  async read({ organization, from, to, text, person, device }, next, signal) {
    if (device !== '') return { lines: [], next: null }
    const page = await api.core.mails(
      {
        params: { org: organization.replace(/\.\*$/, '') },
        query: { status: 'FAILED', page: Number(next ?? 0), pageSize: 200 },
      },
      signal && { signal },
    )
    const contains = ({ recipient, error }: Mail) =>
      recipient.toLowerCase().includes(person.toLowerCase()) &&
      `${recipient} ${error}`.toLowerCase().includes(text.toLowerCase())
    const lines = page.content.filter(contains).map(lineOfMail)
    // They are sorted by time: what is older than asked ends them.
    const isEnd = page.last || lines.some(({ at }) => at < from)
    return {
      lines: lines.filter(({ at }) => at >= from && (to === undefined || at < to)),
      next: isEnd ? null : String(page.number + 1),
    }
  },
}

const lineOfMail = (mail: Mail): LogLine => ({
  key: `mail:${mail.id}`,
  source: 'mail',
  at: mail.createdAt.getTime(),
  organization: mail.organization,
  texts: ({ t, findWords }) => ({
    who: mail.recipient,
    what: t('whole-log.mail'),
    on: findWords(`whole-log.mailKind.${mail.kind}`) ?? mail.kind,
    state: { tone: 'alarm', text: t('whole-log.state.FAILED') },
  }),
  again: {
    needs: 'users:update',
    send: () => api.core.retryMail({ params: { org: mail.organization, mail: mail.id }, body: {} }),
  },
  facts: () => [
    { label: 'whole-log.fact.attempts', value: String(mail.attempts) },
    { label: 'whole-log.fact.answer', value: mail.error },
  ],
})
