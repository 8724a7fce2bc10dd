import { late } from '@longreach/ui/late'
import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import { PeopleActions } from './PeopleActions.tsx'
import { type Listed, usePeople } from './people-calls.ts'
import { usePeopleColumns } from './people-columns.tsx'
import { PeopleFilters } from './PeopleFilters.tsx'
import { isFiltered, listState, type ListState, sortText } from './people-url.ts'
import { RequestsButton } from './RequestsButton.tsx'
import { SectionTabs } from './SectionTabs.tsx'

const PersonPanel = late(async () => ({ default: (await import('./PersonPanel.tsx')).PersonPanel }))
const BulkBar = late(async () => ({ default: (await import('./BulkBar.tsx')).BulkBar }))
/** Beyond this the server does not count what a search finds. */
const mostCounted = 1_000

/** The people and programs of the organization. */
export function Component() {
  const t = useWords()
  const may = useMay()('users:read')
  if (may) return <People />
  return (
    <Page>
      <PageHeader title={t('shell.section.permission')} />
      <SectionTabs />
      <EmptyState kind="forbidden" title={t('permission.mayNotRead')} />
    </Page>
  )
}

/** `1,000+` where the server stopped counting. */
const counted = (figure: string, some: boolean) => (some ? `${figure}+` : figure)

function People() {
  const t = useWords()
  const intl = useIntl()
  const [search, change] = useSearch()
  const state = listState(search)
  const list = usePeople(state)
  const [checked, setChecked] = useState<ReadonlySet<string>>(new Set())
  const pages = list.data?.pages ?? []
  const rows = pages.flatMap(({ content }) => content)
  const total = pages[0]?.totalElements
  const some = isFiltered(state) && (total ?? 0) >= mostCounted
  const close = () => void change({ person: undefined, tab: undefined })
  return (
    <Page>
      <PageHeader
        title={t('shell.section.permission')}
        count={total !== undefined && counted(intl.formatNumber(total), some)}
        help={t('permission.help')}
        actions={
          <>
            <RequestsButton />
            <PeopleActions state={state} />
          </>
        }
      />
      <SectionTabs />
      <Split>
        <DataTable
          name="people"
          label={t('permission.people')}
          columns={usePeopleColumns()}
          rows={rows}
          rowId={({ id }) => String(id)}
          total={total}
          sort={state.sort}
          onSort={(sort) => void change({ sort: sortText(sort) })}
          selected={state.open}
          onOpen={({ id }) => void change({ person: id })}
          checked={checked}
          onChecked={setChecked}
          onMore={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
          fetching={list.isFetching && !list.isPending}
          toolbar={
            <Toolbar
              state={state}
              onChange={change}
              chosen={rows.filter(({ id }) => checked.has(String(id)))}
              onDone={() => setChecked(new Set())}
            />
          }
          footer={total !== undefined && <Footer shown={rows.length} total={total} some={some} />}
          empty={<Nothing list={list} state={state} onChange={change} />}
        />
        {state.open !== undefined && (
          <Suspense fallback={null}>
            <PersonPanel
              key={state.open}
              user={state.open}
              tab={state.tab}
              onTab={(tab) => void change({ tab })}
              onClose={close}
            />
          </Suspense>
        )}
      </Split>
    </Page>
  )
}

type ToolbarProps = {
  state: ListState
  onChange: ReturnType<typeof useSearch>[1]
  chosen: readonly Listed[]
  onDone: () => void
}

function Toolbar({ state, onChange, chosen, onDone }: ToolbarProps) {
  return (
    <>
      <PeopleFilters state={state} onChange={onChange} />
      {chosen.length > 0 && (
        <Suspense fallback={null}>
          <BulkBar people={chosen} onDone={onDone} />
        </Suspense>
      )}
    </>
  )
}

function Footer({ shown, total, some }: { shown: number; total: number; some: boolean }) {
  const t = useWords()
  const word = some ? 'permission.shownOfMore' : 'permission.shown'
  return (
    <>
      <span>{t(word, { shown, total })}</span>
      <span>{t('permission.times', { zone: usualZone() })}</span>
    </>
  )
}

type NothingProps = {
  list: ReturnType<typeof usePeople>
  state: ListState
  onChange: ReturnType<typeof useSearch>[1]
}

function Nothing({ list, state, onChange }: NothingProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton />
  if (list.error)
    return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
  const none = { q: undefined, kind: undefined, status: undefined, group: undefined }
  if (isFiltered(state))
    return (
      <NothingFound
        title={t('permission.notFound')}
        text={t('permission.notFoundText')}
        clear={t('permission.clearFilter')}
        onClear={() => void onChange({ ...none, role: undefined })}
      />
    )
  return <EmptyState kind="nothing" title={t('permission.nobody')} />
}
