import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query } from '../../lib/api.ts'
import { useErrorText } from '../../lib/error-text.ts'
import { useSession } from '../../lib/session.ts'
import { one, useSearch } from '../../lib/use-search.ts'
import { useMailColumns } from './mail-columns.tsx'

const states = ['FAILED', 'WAITING', 'SENT'] as const

/** Mails of the organization: what waits, what went, what the mail server refused. */
export const Component = () => <Mails />

/** The mails of one state, or of the state that is chosen. */
export function Mails({ only }: { only?: (typeof states)[number] }) {
  const t = useWords()
  const errorText = useErrorText()
  const [search, change] = useSearch()
  const org = useSession().organization.resourceId
  const chosen = states.find((state) => state === one(search['status']))
  const status = only ?? chosen
  const list = useQuery({
    ...query(api.core.mails, {
      params: { org },
      query: { pageSize: 200, ...(status && { status }) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
  const rows = list.data?.content ?? []
  return (
    <Page>
      <PageHeader
        title={t(only === undefined ? 'shell.section.mails' : 'mails.failedTitle')}
        help={t(only === undefined ? 'mails.help' : 'mails.failedHelp')}
      />
      {list.data?.sending === false && (
        <ErrorPanel tone="warning" message={t('mails.notSending')} />
      )}
      <Split>
        <DataTable
          name="mails"
          label={t('shell.section.mails')}
          columns={useMailColumns()}
          rows={rows}
          rowId={({ id }) => String(id)}
          total={list.data?.totalElements}
          fetching={list.isFetching && !list.isPending}
          toolbar={
            only === undefined && (
              <SegmentedControl
                size="xs"
                aria-label={t('mails.state')}
                value={status ?? ''}
                onChange={(value) => void change({ status: value })}
                data={[
                  { value: '', label: t('mails.all') },
                  ...states.map((value) => ({ value, label: t(`mails.states.${value}`) })),
                ]}
              />
            )
          }
          empty={
            list.isPending ? (
              <RowsSkeleton />
            ) : list.error ? (
              <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
            ) : chosen && only === undefined ? (
              <NothingFound
                title={t('mails.notFound')}
                clear={t('mails.all')}
                onClear={() => void change({ status: undefined })}
              />
            ) : (
              <EmptyState
                kind="nothing"
                title={t(only === undefined ? 'mails.none' : 'mails.noneFailed')}
                text={t(only === undefined ? 'mails.noneText' : 'mails.noneFailedText')}
              />
            )
          }
        />
      </Split>
    </Page>
  )
}
