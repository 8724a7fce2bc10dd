import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useMailColumns } from './mail-columns.tsx'

const states = ['FAILED', 'WAITING', 'SENT'] as const
type State = (typeof states)[number]

/** Mails of the organization: what waits, what went, what the mail server refused. */
export const Component = () => <Mails />

const words = {
  all: {
    title: 'shell.section.mails',
    help: 'mails.help',
    none: 'mails.none',
    noneText: 'mails.noneText',
  },
  failed: {
    title: 'mails.failedTitle',
    help: 'mails.failedHelp',
    none: 'mails.noneFailed',
    noneText: 'mails.noneFailedText',
  },
} as const

/** Mails of the state that is chosen, or those that failed alone. */
export function Mails({ failed = false }: { failed?: boolean }) {
  const t = useWords()
  const [search, change] = useSearch()
  const chosen = failed ? 'FAILED' : states.find((state) => state === one(search['status']))
  const list = useMails(chosen)
  const { title, help } = words[failed ? 'failed' : 'all']
  const choose = (status: string | undefined) => void change({ status })
  return (
    <Page>
      <PageHeader title={t(title)} help={t(help)} />
      {list.data?.sending === false && (
        <ErrorPanel tone="warning" message={t('mails.notSending')} />
      )}
      <Split>
        <DataTable
          name="mails"
          label={t(title)}
          columns={useMailColumns()}
          rows={list.data?.content ?? []}
          rowId={({ id }) => String(id)}
          total={list.data?.totalElements}
          fetching={list.isFetching && !list.isPending}
          toolbar={failed ? undefined : <StateChoice chosen={chosen} onChoose={choose} />}
          empty={<NoMails {...{ list, failed, chosen }} onClear={() => choose(undefined)} />}
        />
      </Split>
    </Page>
  )
}

function useMails(status: State | undefined) {
  const org = useSession().organization.resourceId
  return useQuery({
    ...query(api.core.mails, {
      params: { org },
      query: { pageSize: 200, ...(status && { status }) },
    }),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  })
}

type StateChoiceProps = { chosen: State | undefined; onChoose: (status: string) => void }

function StateChoice({ chosen, onChoose }: StateChoiceProps) {
  const t = useWords()
  return (
    <SegmentedControl
      size="xs"
      aria-label={t('mails.state')}
      value={chosen ?? ''}
      onChange={onChoose}
      data={[
        { value: '', label: t('mails.all') },
        ...states.map((value) => ({ value, label: t(`mails.states.${value}`) })),
      ]}
    />
  )
}

type NoMailsProps = {
  list: ReturnType<typeof useMails>
  failed: boolean
  chosen: State | undefined
  onClear: () => void
}

function NoMails({ list, failed, chosen, onClear }: NoMailsProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton />
  if (list.error)
    return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
  if (chosen !== undefined && !failed)
    return <NothingFound title={t('mails.notFound')} clear={t('mails.all')} onClear={onClear} />
  const { none, noneText } = words[failed ? 'failed' : 'all']
  return <EmptyState kind="nothing" title={t(none)} text={t(noneText)} />
}
