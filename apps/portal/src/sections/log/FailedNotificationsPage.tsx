import type { Column } from '@longreach/ui/DataTable'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useMemo } from 'react'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useMay, useSession } from '../../parts/session/session.ts'
import { LineAgain } from './LineAgain.tsx'
import type { LineWords, LogLine } from './log-source.ts'
import { readableSources } from './log-sources.ts'
import { useLineWords } from './use-line-words.ts'
import { useLogLines } from './use-whole-log.ts'

/** Notifications and mails that reached nobody, each of which can be sent again. */
export function Component() {
  const words = useLineWords()
  const { t } = words
  const organization = `${useSession().organization.resourceId}.*`
  const sources = readableSources('failed', useMay())
  const question = { organization, from: 0, to: undefined, text: '', person: '', device: '' }
  const list = useLogLines(sources, question)
  const failed = new Set(list.data?.pages.flatMap((page) => page.failed))
  return (
    <ListPage
      title={t('whole-log.failed')}
      trail={<Breadcrumb to="/log" section="log" />}
      help={t('whole-log.failedHelp')}
      above={[...failed].map((name) => (
        <ErrorPanel
          key={name}
          tone="warning"
          message={t('whole-log.away', { source: t(`whole-log.source.${name}`) })}
          onRetry={() => void list.refetch()}
        />
      ))}
      name="failed-notifications"
      columns={useFailedColumns(words)}
      rows={list.data?.pages.flatMap(({ lines }) => lines) ?? []}
      rowId={({ key }) => key}
      list={list}
      none={{ title: t('whole-log.noneFailed'), text: t('whole-log.noneFailedText') }}
    />
  )
}

const useFailedColumns = (words: LineWords): Column<LogLine>[] =>
  useMemo(() => {
    const { t } = words
    const answerOf = (line: LogLine) =>
      line.facts(words).find(({ label }) => label === 'whole-log.fact.answer')?.value || '—'
    return [
      {
        id: 'recipient',
        label: t('whole-log.recipient'),
        width: 200,
        grow: 2,
        fixed: true,
        card: 'title',
        value: (line) => line.texts(words).who,
        cell: (line) => line.texts(words).who,
      },
      {
        id: 'what',
        label: t('log.what'),
        width: 150,
        grow: 1,
        card: 'detail',
        cell: (line) => line.texts(words).what,
      },
      {
        id: 'on',
        label: t('whole-log.about'),
        width: 180,
        grow: 2,
        card: 'detail',
        cell: (line) => line.texts(words).on || '—',
      },
      {
        id: 'answer',
        label: t('whole-log.fact.answer'),
        width: 220,
        grow: 2,
        card: 'detail',
        cell: (line) => <span title={answerOf(line)}>{answerOf(line)}</span>,
      },
      {
        id: 'time',
        label: t('log.time'),
        width: 120,
        card: 'detail',
        cell: ({ at }) => <RelativeTime at={new Date(at)} />,
      },
      {
        id: 'again',
        label: t('whole-log.again'),
        width: 140,
        card: 'detail',
        cell: (line) => <LineAgain line={line} t={t} />,
      },
    ]
  }, [words])
