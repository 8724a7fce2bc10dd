import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { IconBookmark, IconListCheck, IconTrash, IconUsers } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { useIntl } from 'react-intl'
import { segmentsQuery } from '../device-calls.ts'
import {
  filtersOf,
  isFiltered,
  type ListState,
  noFilters,
} from '../../../parts/devices/device-filters.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'
import type { Change } from './FilterParts.tsx'
import type { Segment } from './segment-calls.ts'
import shared from '../devices.module.css'
import classes from './SegmentViews.module.css'

const SegmentMenu = late(() => import('./SegmentMenu.tsx'), 'SegmentMenu')
const SegmentDialog = late(() => import('./SegmentDialog.tsx'), 'SegmentDialog')

type Props = {
  state: ListState
  onChange: Change
  /** Stands above the saved ones. */
  head?: ReactNode
}

/** The views on the devices: all, only here, and the saved ones with their counts. */
export function SegmentViews({ state, onChange, head }: Props) {
  const t = useWords()
  const may = useMay()
  const org = useSession().organization.resourceId
  const [dialog, setDialog] = useState<{ segment?: Segment }>()
  const { data } = useQuery({
    ...segmentsQuery(state, org),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const view = (below: boolean) =>
    void onChange({ ...noFilters, below: below ? undefined : 'false' }, { push: true })
  const plain = !isFiltered(state)
  return (
    <>
      <Entry
        current={plain && state.below}
        name={t('devices.viewAll')}
        onClick={() => view(true)}
      />
      <Entry
        current={plain && !state.below}
        name={t('devices.viewOwn')}
        onClick={() => view(false)}
      />
      {head}
      {data?.data.length === 0 && <p className={classes.railHelp}>{t('devices.segmentsNone')}</p>}
      <ul className={shared.railList}>
        {data?.data.map((segment) => (
          <li key={segment.id}>
            <Entry
              current={state.segment === segment.id}
              name={segment.name}
              segment={segment}
              onClick={() => void onChange({ ...noFilters, segment: segment.id }, { push: true })}
            />
            {segment.mayChange && (
              <SegmentMenu
                segment={segment}
                state={state}
                onRename={() => setDialog({ segment })}
                onGone={() => state.segment === segment.id && void onChange(noFilters)}
              />
            )}
          </li>
        ))}
      </ul>
      {!plain && state.segment === undefined && (
        <button type="button" className={shared.railSave} onClick={() => setDialog({})}>
          <IconBookmark size={15} stroke={1.6} aria-hidden />
          {t('devices.segmentSave')}
        </button>
      )}
      {may('devices:delete') && (
        <Link to="/devices/trash" className={shared.railTrash}>
          <IconTrash size={15} stroke={1.6} aria-hidden />
          {t('devices.trash')}
        </Link>
      )}
      {dialog && (
        <SegmentDialog
          {...dialog}
          content={{ question: filtersOf({ ...state, segment: undefined }) }}
          onClose={() => setDialog(undefined)}
          onSaved={(id) => void onChange({ ...noFilters, segment: id })}
        />
      )}
    </>
  )
}

type EntryProps = { current: boolean; name: string; segment?: Segment; onClick: () => void }

function Entry({ current, name, segment, onClick }: EntryProps) {
  const t = useWords()
  const intl = useIntl()
  const Icon = segment?.shared ? IconUsers : segment?.kind === 'picked' ? IconListCheck : undefined
  return (
    <button
      type="button"
      className={shared.railEntry}
      aria-current={current ? 'true' : undefined}
      onClick={onClick}
    >
      <span className={classes.railName}>{name}</span>
      {Icon && (
        <Icon
          size={13}
          stroke={1.6}
          aria-label={segment?.shared ? t('devices.segmentShared') : t('devices.segmentPicked')}
        />
      )}
      {segment?.count !== undefined && (
        <span className={classes.railCount}>{intl.formatNumber(segment.count)}</span>
      )}
    </button>
  )
}
