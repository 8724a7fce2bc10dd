import { auditApi, type Entry } from '../../../parts/audit/audit-calls.ts'
import type { LogLine, LogSource } from '../log-source.ts'

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
  texts: ({ t, audit }) => ({
    who: audit.who(entry),
    what: audit.what(entry),
    on: audit.on(entry),
    state:
      entry.outcome === 'done'
        ? { tone: 'ok', text: t('log.done') }
        : { tone: 'alarm', text: t('log.refused') },
  }),
  facts: () => [],
})
