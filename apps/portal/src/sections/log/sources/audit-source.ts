import { auditApi, type Entry } from '../../../parts/audit/audit-calls.ts'
import type { LineWords, LogLine, LogSource } from '../log-source.ts'

/** Entries of the audit trail; one text has to be in an entry, with person and device among its words. */
export const auditSource: LogSource = {
  name: 'audit',
  needs: ['audit:access'],
  async read({ organization, from, to, text, person, device }, cursor, signal) {
    const words = [text, person, device].filter((word) => word !== '').join(' ')
    const page = await auditApi.search(
      {
        query: {
          organization,
          from: new Date(from),
          ...(to !== undefined && { to: new Date(to) }),
          ...(words !== '' && { text: words.slice(0, 200) }),
          ...(cursor !== undefined && { cursor }),
          ownPreferences: 'hidden',
          pageSize: 100,
        },
      },
      signal && { signal },
    )
    return { lines: page.data.map(lineOfEntry), next: page.next }
  },
}

const lineOfEntry = (entry: Entry): LogLine => ({
  key: `audit:${entry.id}`,
  source: 'audit',
  at: entry.at.getTime(),
  organization: entry.organization,
  entry: entry.id,
  texts: (words) => ({
    who: actingOf(entry, words),
    what: words.audit.what(entry),
    on: words.audit.on(entry),
    state:
      entry.outcome === 'done'
        ? { tone: 'ok', text: words.t('log.done') }
        : { tone: 'alarm', text: words.t('log.refused') },
  }),
  facts: () => [],
})

/** Person who acted, with the one who acted as them. */
function actingOf(entry: Entry, { audit, t }: LineWords) {
  const who = audit.who(entry)
  const { impersonator } = entry.actor
  if (!impersonator) return who
  return `${who} · ${t('log.impersonated', { name: impersonator.username || impersonator.sub })}`
}
