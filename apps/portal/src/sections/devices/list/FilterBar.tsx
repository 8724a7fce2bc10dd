import { late } from '@longreach/ui/late'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Checkbox } from '@mantine/core'
import { IconLayoutGrid, IconMap2, IconTable } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { type ListState, views } from '../../../parts/devices/device-filters.ts'
import { useSearch } from '../../../parts/pages/use-search.ts'
import { type Change, Chip, FilterButton } from './FilterParts.tsx'
import { useHasMap } from './map-first.ts'
import classes from './FilterBar.module.css'
import { linkTo } from '../../../parts/pages/page-links.ts'

const FilterMenu = late(() => import('./FilterMenu.tsx'), 'FilterMenu', <FilterButton />)
const NamedChips = late(() => import('./NamedChips.tsx'), 'NamedChips')

type Props = {
  state: ListState
  onChange: Change
  /** Above the map instead of the list. */
  onMap?: boolean
}

/** Filters of the list: one text over everything, and a chip for each filter that is on. */
export function FilterBar({ state, onChange, onMap = false }: Props) {
  const t = useWords()
  const [opened, setOpened] = useState(false)
  const named = state.preset !== undefined || state.group !== undefined
  return (
    <>
      <SearchField
        label={t('devices.search')}
        text={state.text}
        onText={(q) => void onChange({ q })}
      />
      {opened ? (
        <FilterMenu state={state} onChange={onChange} onClose={() => setOpened(false)} />
      ) : (
        <FilterButton onClick={() => setOpened(true)} />
      )}
      <PlainChips state={state} onChange={onChange} />
      {named && <NamedChips state={state} onChange={onChange} />}
      <Checkbox
        label={t('devices.below')}
        checked={state.below}
        onChange={(event) =>
          void onChange({ below: event.currentTarget.checked ? undefined : 'false' })
        }
      />
      <ViewChoice state={state} onChange={onChange} onMap={onMap} />
    </>
  )
}

function PlainChips({ state, onChange }: Props) {
  const t = useWords()
  const { connection, tags, model, organization } = state
  return (
    <>
      {connection !== undefined && (
        <Chip
          name={t('devices.status')}
          value={t(`devices.state.${connection}`)}
          onRemove={() => void onChange({ state: undefined })}
        />
      )}
      {tags.map((tag) => (
        <Chip
          key={tag}
          name={t('devices.keyword')}
          value={tag}
          onRemove={() => void onChange({ tag: tags.filter((one) => one !== tag) })}
        />
      ))}
      {model !== undefined && (
        <Chip
          name={t('devices.model')}
          value={model}
          onRemove={() => void onChange({ model: undefined })}
        />
      )}
      {organization !== undefined && (
        <Chip
          name={t('devices.organization')}
          value={organization}
          onRemove={() => void onChange({ organization: undefined })}
        />
      )}
    </>
  )
}

/** The same devices as a table, as cards, or on the map. */
function ViewChoice({ state, onChange, onMap }: Props) {
  const t = useWords()
  const hasMap = useHasMap()
  const [search] = useSearch()
  return (
    <span className={classes.views} role="group" aria-label={t('devices.view')}>
      {views.map((view) => {
        const Icon = view === 'table' ? IconTable : IconLayoutGrid
        const label = t(`devices.view.${view}`)
        const icon = <Icon size={15} stroke={1.6} aria-hidden />
        return onMap ? (
          <Link
            key={view}
            {...linkTo('/devices', { keep: { ...search, ...notOnList }, search: { view } })}
            aria-label={label}
            title={label}
          >
            {icon}
          </Link>
        ) : (
          <button
            key={view}
            type="button"
            aria-pressed={state.view === view}
            aria-label={label}
            title={label}
            onClick={() => void onChange({ view })}
          >
            {icon}
          </button>
        )
      })}
      {hasMap && (
        <Link
          {...linkTo('/devicemap', { keep: { ...search, view: undefined } })}
          aria-current={onMap ? 'page' : undefined}
          aria-label={t('devices.view.map')}
          title={t('devices.view.map')}
        >
          <IconMap2 size={15} stroke={1.6} aria-hidden />
        </Link>
      )}
    </span>
  )
}

/** Keys of the map's address that the list does not use. */
const notOnList = { at: undefined, tray: undefined }
