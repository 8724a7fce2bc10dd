import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { IconApi, IconCpu, IconKey, IconQuestionMark, IconUser } from '@tabler/icons-react'
import { useMemo } from 'react'
import { useIntl } from 'react-intl'
import type { Entry } from './audit-calls.ts'
import { useAuditText } from './audit-text.ts'
import classes from './audit.module.css'

type Options = { below?: boolean; target?: boolean }

/** Columns of lines of the audit trail; without what they are about where a page shows one thing only. */
export function useAuditColumns({ below = false, target = true }: Options): Column<Entry>[] {
  const t = useWords()
  const { on, what } = useAuditText()
  const { locale } = useIntl()
  return useMemo(
    () => [
      {
        id: 'time',
        label: t('log.time'),
        width: 105,
        card: 'detail',
        cell: ({ at }) => <RelativeTime at={at} />,
      },
      {
        id: 'who',
        label: t('log.who'),
        width: 150,
        grow: 1,
        card: 'detail',
        cell: (entry) => <Who entry={entry} />,
      },
      {
        id: 'what',
        label: t('log.what'),
        width: 180,
        grow: 1,
        fixed: true,
        card: 'title',
        value: (entry) => [what(entry), on(entry)].filter(Boolean).join(' · '),
        cell: (entry) => <span className={classes.cut}>{what(entry)}</span>,
      },
      {
        id: 'on',
        label: t('log.on'),
        width: 140,
        grow: 2,
        hidden: !target,
        ...(target && { card: 'detail' as const }),
        cell: (entry) => <span className={classes.cut}>{on(entry) || '—'}</span>,
      },
      {
        id: 'ip',
        label: t('log.ip'),
        width: 115,
        cell: ({ ip }) => <span className={classes.number}>{ip || '—'}</span>,
      },
      {
        id: 'outcome',
        label: t('log.outcome'),
        width: 130,
        card: 'state',
        cell: (entry) => <Outcome entry={entry} />,
      },
      {
        id: 'organization',
        label: t('log.organization'),
        width: 150,
        grow: 1,
        hidden: !below,
        cell: ({ organization }) => organization,
      },
    ],
    // The words change with the language only.
    // oxlint-disable-next-line react/exhaustive-deps
    [locale, below, target],
  )
}

const icons = {
  user: IconUser,
  apiKey: IconKey,
  service: IconApi,
  device: IconCpu,
  nobody: IconQuestionMark,
}

/** Actor of an entry: its kind as an icon (person, API key, service, device), its name, and who acted as them. */
export function Who({ entry }: { entry: Entry }) {
  const t = useWords()
  const { who } = useAuditText()
  const { kind, impersonator } = entry.actor
  const Icon = icons[kind]
  return (
    <span className={classes.who} title={t(`log.kind.${kind}`)}>
      <Icon size={15} stroke={1.6} role="img" aria-label={t(`log.kind.${kind}`)} />
      <span className={classes.cut}>
        {who(entry)}
        {impersonator && (
          <span className={classes.dim}>
            {' · '}
            {t('log.impersonated', { name: impersonator.username || impersonator.sub })}
          </span>
        )}
      </span>
    </span>
  )
}

/** Done or refused, and how often within a few seconds. */
export function Outcome({ entry: { outcome, count } }: { entry: Entry }) {
  const t = useWords()
  return (
    <span className={classes.who}>
      <Tag tone={outcome === 'done' ? 'ok' : 'alarm'}>
        {t(outcome === 'done' ? 'log.done' : 'log.refused')}
      </Tag>
      {count > 1 && <span className={classes.dim}>{t('log.times', { count })}</span>}
    </span>
  )
}
