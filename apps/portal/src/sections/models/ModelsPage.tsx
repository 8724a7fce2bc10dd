import { late } from '@longreach/ui/late'
import { DataTable, type Sort } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { Reason } from '@longreach/ui/Reason'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox, Group } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { Search } from '../../parts/pages/section.ts'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { type ListState, type Model, useModels } from './model-calls.ts'
import { useModelColumns } from './model-columns.tsx'
import classes from './models.module.css'

const UsedFilter = late(async () => ({ default: (await import('./UsedFilter.tsx')).UsedFilter }))
const ModelPanel = late(async () => ({ default: (await import('./ModelPanel.tsx')).ModelPanel }))
const ImportDialog = late(async () => ({
  default: (await import('./ImportDialog.tsx')).ImportDialog,
}))

/** The models of the organization: what its machines' data are. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const [search, change] = useSearch()
  const state = listState(search)
  const list = useModels(state)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.totalElements
  const opened = one(search['model'])
  const open = (row: Model | undefined) => void change({ model: row?.id })
  return (
    <Page>
      <PageHeader
        title={t('shell.section.models')}
        count={total !== undefined && intl.formatNumber(total)}
        help={t('models.help')}
        actions={<NewButtons />}
      />
      <Split>
        <DataTable
          name="models"
          label={t('shell.section.models')}
          columns={useModelColumns()}
          rows={rows}
          rowId={({ id }) => id}
          total={total}
          sort={state.sort}
          onSort={(sort) => void change({ sort: sort.desc ? `${sort.id}:desc` : sort.id })}
          selected={opened}
          onOpen={open}
          onMore={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
          fetching={list.isFetching && !list.isPending}
          toolbar={<Filters state={state} onChange={change} />}
          footer={
            total !== undefined && <span>{t('models.footer', { shown: rows.length, total })}</span>
          }
          empty={
            <Nothing
              list={list}
              filtered={state.text !== '' || state.shared || state.used !== undefined}
              onClear={() => void change({ q: undefined, shared: undefined, used: undefined })}
            />
          }
        />
        {opened !== undefined && (
          <Suspense fallback={null}>
            <ModelPanel key={opened} modelId={opened} onClose={() => open(undefined)} />
          </Suspense>
        )}
      </Split>
    </Page>
  )
}

function listState(search: Search): ListState {
  const [id = '', direction] = (one(search['sort']) ?? '').split(':')
  const sort: Sort = {
    id: id === 'updatedAt' ? id : 'name',
    desc: direction === 'desc',
  }
  const used = one(search['used'])
  return {
    text: one(search['q']) ?? '',
    shared: one(search['shared']) === 'true',
    used: used === 'yes' || used === 'no' ? used : undefined,
    sort,
  }
}

type FilterProps = { state: ListState; onChange: ReturnType<typeof useSearch>[1] }

function Filters({ state, onChange }: FilterProps) {
  const t = useWords()
  return (
    <>
      <SearchField
        label={t('models.search')}
        text={state.text}
        onText={(q) => void onChange({ q })}
      />
      <Suspense fallback={<span className={classes.usedFilter} />}>
        <UsedFilter used={state.used} onChange={(used) => void onChange({ used })} />
      </Suspense>
      <Checkbox
        label={t('models.onlyShared')}
        checked={state.shared}
        onChange={(event) =>
          void onChange({ shared: event.currentTarget.checked ? 'true' : undefined })
        }
      />
    </>
  )
}

type NothingProps = {
  list: ReturnType<typeof useModels>
  filtered: boolean
  onClear: () => void
}

function Nothing({ list, filtered, onClear }: NothingProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton />
  if (list.error) {
    return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
  }
  if (!filtered) {
    return (
      <EmptyState
        kind="nothing"
        title={t('models.none')}
        text={t('models.noneText')}
        action={<NewButtons />}
      />
    )
  }
  return <NothingFound title={t('models.noneFound')} clear={t('models.clear')} onClear={onClear} />
}

function NewButtons() {
  const t = useWords()
  const navigate = useNavigate()
  const may = useMay()('models:create')
  const [importing, setImporting] = useState(false)
  const reason = may ? undefined : t('models.mayNotCreate')
  const locked = { 'aria-disabled': !may, ...(!may && { 'data-disabled': true }) }
  return (
    <Group gap="xs">
      <Reason text={reason}>
        <Button
          {...locked}
          variant="default"
          leftSection={<IconFileImport size={16} stroke={1.8} />}
          onClick={() => may && setImporting(true)}
        >
          {t('models.import')}
        </Button>
      </Reason>
      <Reason text={reason}>
        <Button
          {...locked}
          leftSection={<IconPlus size={16} stroke={1.8} />}
          onClick={() => may && void navigate({ to: '/models/new' })}
        >
          {t('models.new')}
        </Button>
      </Reason>
      {importing && (
        <Suspense fallback={null}>
          <ImportDialog
            onClose={() => setImporting(false)}
            onImport={(file) => {
              setImporting(false)
              void navigate({ to: '/models/new', state: { imported: file } as never }) // the state's type knows no keys of pages
            }}
          />
        </Suspense>
      )}
    </Group>
  )
}
