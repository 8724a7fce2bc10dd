import { late } from '@longreach/ui/late'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { ActionButton } from '@longreach/ui/ActionButton'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useListSearch } from '../../parts/pages/use-list-search.ts'
import { usePresets } from './preset-calls.ts'
import { type PresetLine, usePresetColumns } from './preset-columns.tsx'

const PresetPanel = late(() => import('./PresetPanel.tsx'), 'PresetPanel')

/** The presets of the organization, and how far their devices have got with them. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const { text, field, clear } = useListSearch()
  const [asked] = useDebouncedValue(text, 250)
  const { list, presets, uses } = usePresets(asked)
  const rows = presets.map((preset) => ({ ...preset, use: uses.get(preset.id) }))
  const opened = rows.find(({ id }) => id === one(search['preset']))
  const open = (row: PresetLine | undefined) => void change({ preset: row?.id })
  const total = list.data?.pages[0]?.totalElements
  return (
    <ListPage
      title={t('shell.section.presets')}
      count={total}
      help={t('presets.help')}
      actions={<NewButton />}
      name="presets"
      columns={usePresetColumns()}
      rows={rows}
      rowId={(row) => row.id}
      selected={opened?.id}
      onOpen={open}
      list={list}
      toolbar={<SearchField label={t('presets.search')} {...field} />}
      footer={
        total !== undefined && <span>{t('presets.shown', { shown: rows.length, total })}</span>
      }
      none={{ title: t('presets.none'), text: t('presets.noneText'), action: <NewButton /> }}
      filtered={
        text === ''
          ? undefined
          : { title: t('presets.noneFound'), clear: t('presets.clear'), onClear: clear }
      }
      panel={
        opened && <PresetPanel key={opened.id} preset={opened} onClose={() => open(undefined)} />
      }
    />
  )
}

function NewButton() {
  const t = useWords()
  const may = useMay()('models:create')
  return (
    <ActionButton
      reason={may ? undefined : t('presets.mayNotCreate')}
      leftSection={<IconPlus size={16} stroke={1.8} />}
      renderRoot={(props) => <Link to="/presets/new" {...props} />}
    >
      {t('presets.new')}
    </ActionButton>
  )
}
