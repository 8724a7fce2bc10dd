import { late } from '@longreach/ui/late'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Button, Checkbox } from '@mantine/core'
import { IconArrowUp, IconStack2 } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { type AlarmPage, alarmsQuery } from '../../parts/alarms/alarm-calls.ts'
import { useAlarmNews } from '../../parts/alarms/alarm-news.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useSearch } from '../../parts/pages/use-search.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay } from '../../parts/session/session.ts'
import { useAlarmColumns } from './alarm-columns.tsx'
import classes from './alarms.module.css'
import { AlarmTabs } from './AlarmTabs.tsx'
import { isFiltered, listState, type ListState, noFilters, questionOf } from './alarms-url.ts'
import { AlarmViewsMenu } from './views/AlarmViewsMenu.tsx'
import { useNoAlarms } from './use-no-alarms.tsx'
import { SeverityFigures } from './SeverityFigures.tsx'
import type { AlarmRow } from './steady-rows.ts'
import { useGroupedRows } from './use-grouped-rows.ts'
import { useSteadyRows } from './use-steady-rows.ts'

const AlarmPanel = late(() => import('./AlarmPanel.tsx'), 'AlarmPanel')
const AlarmSelection = late(() => import('./AlarmSelection.tsx'), 'AlarmSelection')
const SoundMenu = late(() => import('./SoundMenu.tsx'), 'SoundMenu')
const ActOnAll = late(() => import('./ActOnAll.tsx'), 'ActOnAll')

const noIds: ReadonlySet<string> = new Set()
const noPages: readonly AlarmPage[] = []

/** List of the open alarms with their counts, live. */
export function OpenAlarms() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = listState(search)
  const [checked, setChecked] = useState(noIds)
  const { list, rows, counts, at, added, release, watch, isStale } = useOpenAlarms(state)
  const open = (row: AlarmRow | undefined) => void change({ alarm: row?.id })
  const grouped = useGroupedRows(rows, state)
  const chosen = useMemo(() => rows.filter(({ id }) => checked.has(id)), [rows, checked])
  return (
    <div className={classes.list} {...watch}>
      <ListPage
        title={t('shell.section.alarms')}
        count={counts?.total}
        help={t('alarms.help')}
        actions={
          <>
            <AlarmViewsMenu list="open" />
            <SoundMenu />
            <ActOnAll state={state} total={counts?.total} at={at} />
          </>
        }
        above={
          <>
            <AlarmTabs />
            <SeverityFigures state={state} onChange={(severity) => void change({ severity })} />
            {grouped.flood !== undefined && grouped.isGrouped && (
              <FloodNote count={grouped.flood} onUngroup={() => void change({ group: 'no' })} />
            )}
          </>
        }
        name="alarms"
        label={t('alarms.open')}
        columns={useAlarmColumns({ onExpand: grouped.onExpand })}
        rows={grouped.rows}
        rowId={rowId}
        total={grouped.isGrouped ? grouped.rows.length : counts?.total}
        selected={state.open}
        onOpen={open}
        {...useChecked(checked, setChecked)}
        countsItself
        list={list}
        toolbar={
          <>
            <OpenFilters
              state={state}
              onChange={change}
              added={added}
              onRelease={release}
              isGrouped={grouped.isGrouped}
            />
            {chosen.length > 0 && (
              <AlarmSelection alarms={chosen} onClear={() => setChecked(noIds)} />
            )}
          </>
        }
        footer={counts && <Footer {...{ counts, isStale }} at={list.dataUpdatedAt} />}
        none={useNoAlarms(rows.length === 0 && !isFiltered(state))}
        filtered={
          isFiltered(state)
            ? {
                title: t('alarms.notFound'),
                clear: t('alarms.clearFilter'),
                onClear: () => void change(noFilters),
              }
            : undefined
        }
        panel={
          state.open !== undefined && (
            <AlarmPanel key={state.open} id={state.open} onClose={() => open(undefined)} />
          )
        }
      />
    </div>
  )
}

type FiltersProps = {
  state: ListState
  onChange: ReturnType<typeof useSearch>[1]
  /** Number of new alarms that wait while somebody points at the list. */
  added: number
  onRelease: () => void
  isGrouped: boolean
}

function OpenFilters({ state, onChange, added, onRelease, isGrouped }: FiltersProps) {
  const t = useWords()
  return (
    <>
      <SearchField
        label={t('alarms.search')}
        text={state.text}
        onText={(q) => void onChange({ q })}
      />
      <Checkbox
        className={classes.filter}
        label={t('alarms.onlyUnacknowledged')}
        checked={state.unacknowledged}
        onChange={(event) =>
          void onChange({ ack: event.currentTarget.checked ? 'missing' : undefined })
        }
      />
      <Checkbox
        className={classes.filter}
        label={t('alarm-sound.groups')}
        checked={isGrouped}
        onChange={(event) => void onChange({ group: event.currentTarget.checked ? 'yes' : 'no' })}
      />
      {added > 0 && (
        <Button
          variant="light"
          size="compact-sm"
          leftSection={<IconArrowUp size={14} stroke={2} />}
          onClick={onRelease}
        >
          {t('alarms.new', { count: added })}
        </Button>
      )}
    </>
  )
}

type FloodProps = { count: number; onUngroup: () => void }

/** Says that the list is grouped because of a flood, and how to see it one by one. */
function FloodNote({ count, onUngroup }: FloodProps) {
  const t = useWords()
  return (
    <div className={classes.flood} role="status">
      <IconStack2 size={16} stroke={1.7} aria-hidden />
      <span>{t('alarm-sound.flood', { count })}</span>
      <Button variant="subtle" size="compact-sm" onClick={onUngroup}>
        {t('alarm-sound.ungroup')}
      </Button>
    </div>
  )
}

const rowId = ({ id }: AlarmRow) => id

/** Ticks of rows, for those who may act on alarms. */
function useChecked(checked: ReadonlySet<string>, onChecked: (ids: ReadonlySet<string>) => void) {
  const may = useMay()
  const mayAct = may('alarms:ack') || may('alarms:reset') || may('alarms:clear')
  return mayAct ? { checked, onChecked } : {}
}

function useOpenAlarms(state: ListState) {
  const reach = useReach()
  const question = questionOf('open', state)
  const list = useInfiniteQuery(alarmsQuery(reach, question))
  const news = useAlarmNews(reach)
  const pages = list.data?.pages ?? noPages
  const present = useMemo(() => pages.flatMap(({ data }) => data), [pages])
  const steady = useSteadyRows(present, `${JSON.stringify(question)} ${pages.length}`)
  return { list, counts: pages[0]?.counts, at: pages[0]?.at, isStale: news.isError, ...steady }
}

type FooterProps = { counts: AlarmPage['counts']; at: number; isStale: boolean }

function Footer({ counts, at, isStale }: FooterProps) {
  const t = useWords()
  const { total, isExact, shelved, suppressed } = counts
  return (
    <>
      <span>
        {[
          t(isExact ? 'alarms.shown' : 'alarms.shownAbout', { total }),
          shelved > 0 && t('alarms.shelvedCount', { count: shelved }),
          suppressed > 0 && t('alarms.suppressedCount', { count: suppressed }),
        ]
          .filter(Boolean)
          .join(' · ')}
      </span>
      <span>
        {t(isStale ? 'alarms.stale' : 'alarms.footer', { time: new Date(at), zone: usualZone() })}
      </span>
    </>
  )
}
