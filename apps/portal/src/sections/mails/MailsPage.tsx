import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, query } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useMailColumns } from './mail-columns.tsx'

const states = ['FAILED', 'WAITING', 'SENT'] as const
type State = (typeof states)[number]

/** Mails of the organization: what waits, what went, what the mail server refused. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const chosen = states.find((state) => state === one(search['status']))
  const list = useMails(chosen)
  const choose = (status: string | undefined) => void change({ status })
  return (
    <ListPage
      title={t('shell.section.mails')}
      help={t('mails.help')}
      above={
        list.data?.sending === false && (
          <ErrorPanel tone="warning" message={t('mails.notSending')} />
        )
      }
      name="mails"
      columns={useMailColumns()}
      rows={list.data?.content ?? []}
      rowId={({ id }) => String(id)}
      total={list.data?.totalElements}
      toolbar={<StateChoice chosen={chosen} onChoose={choose} />}
      list={list}
      none={{ title: t('mails.none'), text: t('mails.noneText') }}
      filtered={
        chosen && {
          title: t('mails.notFound'),
          clear: t('mails.all'),
          onClear: () => choose(undefined),
        }
      }
    />
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
