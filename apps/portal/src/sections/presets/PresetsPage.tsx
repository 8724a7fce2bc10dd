import { late } from '@longreach/ui/late'
import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { Reason } from '@longreach/ui/Reason'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { usePresets } from './preset-calls.ts'
import { type PresetLine, usePresetColumns } from './preset-columns.tsx'

const PresetPanel = late(async () => ({ default: (await import('./PresetPanel.tsx')).PresetPanel }))

/** The presets of the organization, and how far their devices have got with them. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const [search, change] = useSearch()
  const text = one(search['q']) ?? ''
  const [asked] = useDebouncedValue(text, 250)
  const { list, presets, uses } = usePresets(asked)
  const rows = presets.map((preset) => ({ ...preset, use: uses.get(preset.id) }))
  const opened = rows.find(({ id }) => id === one(search['preset']))
  const open = (row: PresetLine | undefined) => void change({ preset: row?.id })
  const total = list.data?.pages[0]?.totalElements
  return (
    <Page>
      <PageHeader
        title={t('shell.section.presets')}
        count={total !== undefined && intl.formatNumber(total)}
        help={t('presets.help')}
        actions={<NewButton />}
      />
      <Split>
        <DataTable
          name="presets"
          label={t('shell.section.presets')}
          columns={usePresetColumns()}
          rows={rows}
          rowId={(row) => row.id}
          selected={opened?.id}
          onOpen={open}
          onMore={() => {
            if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
          }}
          fetching={list.isFetching && !list.isPending}
          toolbar={
            <SearchField
              label={t('presets.search')}
              text={text}
              onText={(q) => void change({ q })}
            />
          }
          footer={
            total !== undefined && <span>{t('presets.shown', { shown: rows.length, total })}</span>
          }
          empty={
            <Empty
              list={list}
              filtered={text !== ''}
              onClear={() => void change({ q: undefined })}
            />
          }
        />
        {opened && (
          <Suspense fallback={null}>
            <PresetPanel key={opened.id} preset={opened} onClose={() => open(undefined)} />
          </Suspense>
        )}
      </Split>
    </Page>
  )
}

type EmptyProps = {
  list: ReturnType<typeof usePresets>['list']
  filtered: boolean
  onClear: () => void
}

function Empty({ list, filtered, onClear }: EmptyProps) {
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton />
  if (!list.error) return <Nothing filtered={filtered} onClear={onClear} />
  return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
}

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useWords()
  if (!filtered) {
    return (
      <EmptyState
        kind="nothing"
        title={t('presets.none')}
        text={t('presets.noneText')}
        action={<NewButton />}
      />
    )
  }
  const clear = (
    <Button variant="default" onClick={onClear}>
      {t('presets.clear')}
    </Button>
  )
  return <EmptyState kind="filtered" title={t('presets.noneFound')} action={clear} />
}

function NewButton() {
  const t = useWords()
  const may = useMay()('models:create')
  const icon = <IconPlus size={16} stroke={1.8} />
  if (may) {
    return (
      <Button component={Link} to="/presets/new" leftSection={icon}>
        {t('presets.new')}
      </Button>
    )
  }
  return (
    <Reason text={t('presets.mayNotCreate')}>
      <Button leftSection={icon} aria-disabled data-disabled>
        {t('presets.new')}
      </Button>
    </Reason>
  )
}
