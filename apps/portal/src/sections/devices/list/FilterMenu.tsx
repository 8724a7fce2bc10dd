import { useWords } from '@longreach/ui/use-words'
import { Popover, Select } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { connectionFilters, type ListState } from '../../../parts/devices/device-filters.ts'
import { type Change, FilterButton } from './FilterParts.tsx'
import { GroupSelect } from './GroupSelect.tsx'
import { PresetFilter } from '../PresetSelect.tsx'
import shared from '../devices.module.css'
import classes from './FilterMenu.module.css'

type Props = { state: ListState; onChange: Change; onClose: () => void }
type Facet = { value: string; count: number }

/** Every filter of the list, with the values that are in use. */
export function FilterMenu({ state, onChange, onClose }: Props) {
  const t = useWords()
  const may = useMay()
  const organization = useReach()
  const { data } = useQuery(query(api.mappings.deviceFacets, { query: { organization } }))
  const options = (facets: readonly Facet[] | undefined) =>
    (facets ?? []).map(({ value, count }) => ({ value, label: `${value} (${count})` }))
  const common = {
    placeholder: t('devices.any'),
    searchable: true,
    clearable: true,
    openOnFocus: false,
    comboboxProps: { withinPortal: false },
  }
  const tags = state.tags
  return (
    <Popover opened onChange={(opened) => !opened && onClose()} position="bottom-start" trapFocus>
      <Popover.Target>
        <span>
          <FilterButton onClick={onClose} />
        </span>
      </Popover.Target>
      <Popover.Dropdown className={shared.filterMenu} aria-label={t('devices.filter')}>
        <Select
          {...common}
          label={t('devices.status')}
          data={connectionFilters.map((value) => ({ value, label: t(`devices.state.${value}`) }))}
          value={state.connection ?? null}
          onChange={(value) => void onChange({ state: value ?? undefined })}
        />
        <Select
          {...common}
          label={t('devices.keyword')}
          data={options(data?.tags).filter(({ value }) => !tags.includes(value))}
          value={null}
          onChange={(tag) => tag !== null && void onChange({ tag: [...tags, tag] })}
        />
        {may('models:read') && (
          <>
            <div>
              <div className={classes.filterLabel}>{t('devices.preset')}</div>
              <PresetFilter
                value={state.preset}
                within
                onChange={(preset) => void onChange({ preset: preset ?? undefined })}
              />
            </div>
            <Select
              {...common}
              label={t('devices.model')}
              data={options(data?.models)}
              value={state.model ?? null}
              onChange={(model) => void onChange({ model: model ?? undefined })}
            />
          </>
        )}
        {may('devicegroups:read') && (
          <GroupSelect within value={state.group} onChange={(group) => void onChange({ group })} />
        )}
        {(data?.organizations.length ?? 0) > 1 && (
          <Select
            {...common}
            label={t('devices.organization')}
            data={options(data?.organizations)}
            value={state.organization ?? null}
            onChange={(chosen) => void onChange({ organization: chosen ?? undefined })}
          />
        )}
      </Popover.Dropdown>
    </Popover>
  )
}
