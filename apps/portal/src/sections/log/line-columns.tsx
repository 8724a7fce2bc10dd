import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag } from '@longreach/ui/StatusDot'
import { useMemo } from 'react'
import type { LineWords, LogLine } from './log-source.ts'

/** Columns of the log of everything. */
export const useLineColumns = (words: LineWords, below: boolean): Column<LogLine>[] =>
  useMemo(() => {
    const { t } = words
    return [
      {
        id: 'time',
        label: t('log.time'),
        width: 115,
        card: 'detail',
        cell: ({ at }) => <RelativeTime at={new Date(at)} />,
      },
      {
        id: 'source',
        label: t('whole-log.kind'),
        width: 165,
        card: 'detail',
        cell: ({ source }) => t(`whole-log.source.${source}`),
      },
      {
        id: 'what',
        label: t('log.what'),
        width: 200,
        grow: 2,
        fixed: true,
        card: 'title',
        value: (line) => line.texts(words).what,
        cell: (line) => line.texts(words).what,
      },
      {
        id: 'on',
        label: t('log.on'),
        width: 200,
        grow: 3,
        card: 'detail',
        cell: (line) => line.texts(words).on || '—',
      },
      {
        id: 'who',
        label: t('whole-log.person'),
        width: 160,
        grow: 1,
        card: 'detail',
        cell: (line) => line.texts(words).who || '—',
      },
      {
        id: 'state',
        label: t('log.outcome'),
        width: 120,
        card: 'state',
        cell: (line) => {
          const { state } = line.texts(words)
          return state ? <Tag tone={state.tone}>{state.text}</Tag> : null
        },
      },
      {
        id: 'organization',
        label: t('log.organization'),
        width: 150,
        grow: 1,
        hidden: !below,
        cell: ({ organization }) => organization,
      },
    ]
  }, [words, below])
