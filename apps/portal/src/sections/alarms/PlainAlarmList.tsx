import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { type AlarmPage, type AlarmQuestion, alarmsQuery } from '../../parts/alarms/alarm-calls.ts'
import { usualZone } from '../../parts/look/time-zone.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useSearch } from '../../parts/pages/use-search.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useAlarmColumns } from './alarm-columns.tsx'
import { isFiltered, listState, noFilters } from './alarms-url.ts'
import { AlarmTabs } from './AlarmTabs.tsx'

const AlarmPanel = late(() => import('./AlarmPanel.tsx'), 'AlarmPanel')

type Props = {
  question: AlarmQuestion
  label: string
  toolbar: ReactNode
  actions?: ReactNode
  none: { title: string; text?: string }
}

/** List of alarms that is not followed: the history. */
export function PlainAlarmList({ question, label, none, ...parts }: Props) {
  const t = useWords()
  const [search, change] = useSearch()
  const state = listState(search)
  const list = useInfiniteQuery(alarmsQuery(useReach(), question))
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const counts = list.data?.pages[0]?.counts
  return (
    <ListPage
      title={t('shell.section.alarms')}
      help={t('alarms.historyHelp')}
      above={<AlarmTabs />}
      name="alarms-history"
      label={label}
      columns={useAlarmColumns({ history: true })}
      rows={rows}
      rowId={({ id }) => id}
      total={counts?.total}
      selected={state.open}
      onOpen={({ id }) => void change({ alarm: id })}
      list={list}
      none={none}
      filtered={
        isFiltered(state)
          ? {
              title: t('alarms.notFoundHere'),
              clear: t('alarms.clearFilter'),
              onClear: () => void change(noFilters),
            }
          : undefined
      }
      footer={counts && <CountFooter counts={counts} at={list.dataUpdatedAt} />}
      panel={
        state.open !== undefined && (
          <AlarmPanel
            key={state.open}
            id={state.open}
            onClose={() => void change({ alarm: undefined })}
          />
        )
      }
      {...parts}
    />
  )
}

function CountFooter({ counts, at }: { counts: AlarmPage['counts']; at: number }) {
  const t = useWords()
  const { total, isExact } = counts
  return (
    <>
      <span>{t(isExact ? 'alarms.counted' : 'alarms.countedAbout', { total })}</span>
      <span>{t('alarms.footer', { time: new Date(at), zone: usualZone() })}</span>
    </>
  )
}
