import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import {
  IconBookmark,
  IconDots,
  IconLayoutSidebarLeftCollapse,
  IconListCheck,
  IconTrash,
  IconUsers,
} from '@tabler/icons-react'
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { lazy, Suspense, useState } from 'react'
import { useIntl } from 'react-intl'
import { api, query, stale } from '../../../lib/api.ts'
import { useErrorText } from '../../../lib/error-text.ts'
import { useMay, useSession } from '../../../lib/session.ts'
import { filtersOf, isFiltered, type ListState, noFilters } from '../../../lib/device-filters.ts'
import { inBrowser } from '../../../lib/remembered.ts'
import type { Change } from './FilterParts.tsx'
import { FoldedRail } from './FoldedRail.tsx'
import type { Segment } from './segment-calls.ts'
import classes from '../devices.module.css'

const SegmentDialog = lazy(async () => ({
  default: (await import('./SegmentDialog.tsx')).SegmentDialog,
}))

type Props = { state: ListState; onChange: Change }

/** Views on the devices at the left; where the table needs the room they are folded until asked for. */
export function SegmentRail(props: Props) {
  const wide = useMediaQuery('(min-width: 1360px)', undefined, { getInitialValueInEffect: false })
  const [chosen, setChosen] = useState<boolean | null>(() => inBrowser.get('segments', null))
  const open = (next: boolean) => {
    setChosen(next)
    inBrowser.set('segments', next)
  }
  return (chosen ?? wide) ? (
    <OpenRail {...props} onFold={() => open(false)} />
  ) : (
    <FoldedRail state={props.state} onOpen={() => open(true)} />
  )
}

/** All, only here, and the saved ones with their counts. */
function OpenRail({ state, onChange, onFold }: Props & { onFold: () => void }) {
  const t = useWords()
  const may = useMay()
  const org = useSession().organization.resourceId
  const [dialog, setDialog] = useState<{ segment?: Segment }>()
  const organization = state.below ? `${org}.*` : org
  const asked = { organization, counts: true }
  const { data } = useQuery({
    ...query(api.mappings.segments, { query: asked }),
    placeholderData: keepPreviousData,
    refetchInterval: 60_000,
  })
  const view = (below: boolean) =>
    void onChange({ ...noFilters, below: below ? undefined : 'false' }, { push: true })
  const plain = !isFiltered(state)
  return (
    <nav className={classes.rail} aria-label={t('devices.segments')}>
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
      <Head onFold={onFold} />
      {data?.data.length === 0 && <p className={classes.railHelp}>{t('devices.segmentsNone')}</p>}
      <ul className={classes.railList}>
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
        <button type="button" className={classes.railSave} onClick={() => setDialog({})}>
          <IconBookmark size={15} stroke={1.6} aria-hidden />
          {t('devices.segmentSave')}
        </button>
      )}
      {may('devices:delete') && (
        <Link to="/devices/trash" className={classes.railTrash}>
          <IconTrash size={15} stroke={1.6} aria-hidden />
          {t('devices.trash')}
        </Link>
      )}
      {dialog && (
        <Suspense fallback={null}>
          <SegmentDialog
            {...dialog}
            content={{ question: filtersOf({ ...state, segment: undefined }) }}
            onClose={() => setDialog(undefined)}
            onSaved={(id) => void onChange({ ...noFilters, segment: id })}
          />
        </Suspense>
      )}
    </nav>
  )
}

function Head({ onFold }: { onFold: () => void }) {
  const t = useWords()
  return (
    <div className={classes.railHead}>
      <h2 className={classes.railTitle}>{t('devices.segments')}</h2>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('devices.segmentsHide')}
        title={t('devices.segmentsHide')}
        onClick={onFold}
      >
        <IconLayoutSidebarLeftCollapse size={15} stroke={1.6} aria-hidden />
      </ActionIcon>
    </div>
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
      className={classes.railEntry}
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

type MenuProps = { segment: Segment; state: ListState; onRename: () => void; onGone: () => void }

function SegmentMenu({ segment, state, onRename, onGone }: MenuProps) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const call = { params: { id: segment.id }, query: { organization } }
  const failed = (error: unknown) => toast({ kind: 'failed', message: errorText(error).message })
  const done = () => stale(api.mappings.segments)
  const bring = () =>
    api.mappings
      .createSegment({
        query: { organization },
        body: {
          name: segment.name,
          shared: segment.shared,
          content: { question: withoutSegment(segment.question) },
        },
      })
      .then(done, failed)
  const remove = useMutation({
    mutationFn: () => api.mappings.deleteSegment(call),
    onError: failed,
    onSuccess: async () => {
      onGone()
      await done()
      const undo = { label: t('devices.undo'), run: () => void bring() }
      toast({
        message: t('devices.segmentDeleted', { name: segment.name }),
        ...(segment.kind === 'dynamic' && { action: undo }),
      })
    },
  })
  const update = useMutation({
    mutationFn: () => {
      const question = filtersOf({ ...state, segment: undefined })
      return api.mappings.updateSegment({ ...call, body: { question } })
    },
    onError: failed,
    onSuccess: done,
  })
  const narrowed = isFiltered({ ...state, segment: undefined })
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon
          variant="subtle"
          size="sm"
          className={classes.railMore}
          aria-label={t('devices.segmentMenu', { name: segment.name })}
        >
          <IconDots size={14} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item onClick={onRename}>{t('devices.segmentEdit')}</Menu.Item>
        {segment.kind === 'dynamic' && narrowed && (
          <Menu.Item onClick={() => update.mutate()}>{t('devices.segmentUpdate')}</Menu.Item>
        )}
        <Menu.Item className={classes.danger} onClick={() => remove.mutate()}>
          {t('devices.segmentDelete')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}

const withoutSegment = (question: Segment['question']) => {
  const { segment: _left, ...rest } = question
  return rest
}
