import { late } from '@longreach/ui/late'
import { ActionButton } from '@longreach/ui/ActionButton'
import type { Sort } from '@longreach/ui/DataTable'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox, Group } from '@mantine/core'
import { IconFileImport, IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { Search } from '../../parts/pages/section.ts'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { type ListState, type Model, useModels } from './model-calls.ts'
import { useModelColumns } from './model-columns.tsx'
import classes from './models.module.css'

const UsedFilter = late(
  () => import('./UsedFilter.tsx'),
  'UsedFilter',
  <span className={classes.usedFilter} />,
)
const ModelPanel = late(() => import('./ModelPanel.tsx'), 'ModelPanel')
const ImportDialog = late(() => import('./ImportDialog.tsx'), 'ImportDialog')

/** The models of the organization: what its machines' data are. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = listState(search)
  const list = useModels(state)
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.totalElements
  const opened = one(search['model'])
  const open = (row: Model | undefined) => void change({ model: row?.id })
  return (
    <ListPage
      title={t('shell.section.models')}
      count={total}
      help={t('models.help')}
      actions={<NewButtons />}
      name="models"
      columns={useModelColumns()}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      sort={state.sort}
      onSort={(sort) => void change({ sort: sort.desc ? `${sort.id}:desc` : sort.id })}
      selected={opened}
      onOpen={open}
      list={list}
      toolbar={<Filters state={state} onChange={change} />}
      footer={
        total !== undefined && <span>{t('models.footer', { shown: rows.length, total })}</span>
      }
      none={{ title: t('models.none'), text: t('models.noneText'), action: <NewButtons /> }}
      filtered={
        isFiltered(state)
          ? {
              title: t('models.noneFound'),
              clear: t('models.clear'),
              onClear: () => void change({ q: undefined, shared: undefined, used: undefined }),
            }
          : undefined
      }
      panel={
        opened !== undefined && (
          <ModelPanel key={opened} modelId={opened} onClose={() => open(undefined)} />
        )
      }
    />
  )
}

const isFiltered = ({ text, shared, used }: ListState) =>
  text !== '' || shared || used !== undefined

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
      <UsedFilter used={state.used} onChange={(used) => void onChange({ used })} />
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

function NewButtons() {
  const t = useWords()
  const navigate = useNavigate()
  const may = useMay()('models:create')
  const [importing, setImporting] = useState(false)
  const reason = may ? undefined : t('models.mayNotCreate')
  return (
    <Group gap="xs">
      <ActionButton
        reason={reason}

        variant="default"
        leftSection={<IconFileImport size={16} stroke={1.8} />}
        onClick={() => setImporting(true)}
      >
        {t('models.import')}
      </ActionButton>
      <ActionButton
        reason={reason}

        leftSection={<IconPlus size={16} stroke={1.8} />}
        onClick={() => void navigate({ to: '/models/new' })}
      >
        {t('models.new')}
      </ActionButton>
      {importing && (
        <ImportDialog
          onClose={() => setImporting(false)}
          onImport={(file) => {
            setImporting(false)
            void navigate({ to: '/models/new', state: { imported: file } })
          }}
        />
      )}
    </Group>
  )
}
