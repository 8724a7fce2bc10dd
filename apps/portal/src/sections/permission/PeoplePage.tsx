import { late } from '@longreach/ui/late'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { useIntl } from 'react-intl'
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

const PersonPanel = late(() => import('./PersonPanel.tsx'), 'PersonPanel')
const BulkBar = late(() => import('./BulkBar.tsx'), 'BulkBar')
/** Beyond this the server does not count what a search finds. */
const mostCounted = 1_000
const noFilters = {
  q: undefined,
  kind: undefined,
  status: undefined,
  group: undefined,
  role: undefined,
}

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
const countText = (figure: string, some: boolean) => (some ? `${figure}+` : figure)

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
  return (
    <ListPage
      title={t('shell.section.permission')}
      count={total !== undefined ? countText(intl.formatNumber(total), some) : undefined}
      help={t('permission.help')}
      actions={
        <>
          <RequestsButton />
          <PeopleActions state={state} />
        </>
      }
      above={<SectionTabs />}
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
      list={list}
      toolbar={
        <Toolbar
          state={state}
          onChange={change}
          chosen={rows.filter(({ id }) => checked.has(String(id)))}
          onDone={() => setChecked(new Set())}
        />
      }
      footer={total !== undefined && <Footer shown={rows.length} total={total} some={some} />}
      none={{ title: t('permission.nobody') }}
      filtered={
        isFiltered(state)
          ? {
              title: t('permission.notFound'),
              text: t('permission.notFoundText'),
              clear: t('permission.clearFilter'),
              onClear: () => void change(noFilters),
            }
          : undefined
      }
      panel={
        state.open !== undefined && (
          <PersonPanel
            key={state.open}
            user={state.open}
            tab={state.tab}
            onTab={(tab) => void change({ tab })}
            onClose={() => void change({ person: undefined, tab: undefined })}
          />
        )
      }
    />
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
      {chosen.length > 0 && <BulkBar people={chosen} onDone={onDone} />}
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
