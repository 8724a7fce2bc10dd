import { shortened } from '@longreach/ui/CopyText'
import { KpiChips } from '@longreach/ui/KpiChips'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { query } from '../../parts/api/api.ts'
import { AuditPanel } from '../../parts/audit/AuditPanel.tsx'
import { auditApi, type EntryDetail, useEntries } from '../../parts/audit/audit-calls.ts'
import { useAuditColumns } from '../../parts/audit/audit-columns.tsx'
import { useAuditText } from '../../parts/audit/audit-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { usualZone, weekStartOf } from '../../parts/look/time-zone.ts'
import { useSearch } from '../../parts/pages/use-search.ts'
import { type Facets, LogFilters } from './LogFilters.tsx'
import { LogMenu } from './LogMenu.tsx'
import { LogTabs } from './LogTabs.tsx'
import {
  isFiltered,
  logState,
  type LogState,
  noFilters,
  organizationsOf,
  questionOf,
  timeOf,
} from './log-url.ts'

type Change = ReturnType<typeof useSearch>[1]

/** Audit trail of the organization and those below it, with search, filters, details and export. */
export function AuditLog() {
  const t = useWords()
  const [search, change] = useSearch()
  const state = logState(search)
  const { moment, renew } = useMoment()
  const org = useSession().organization.resourceId
  const question = questionOf(state, org, moment)
  const list = useEntries(question)
  const facets = useFacets(state, org, moment)
  const columns = useAuditColumns({ below: state.below })
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  return (
    <ListPage
      title={t('shell.section.log')}
      help={t('log.help')}
      actions={<LogMenu question={question} onRefresh={renew} />}
      above={
        <>
          <LogTabs />
          <Outcomes state={state} facets={facets} onChange={change} />
        </>
      }
      label={t('log.resource.audit')}
      name="log"
      columns={columns}
      rows={rows}
      rowId={(row) => String(row.id)}
      selected={state.open === undefined ? undefined : String(state.open)}
      onOpen={(row) => void change({ line: row.id })}
      list={list}
      toolbar={<LogFilters state={state} moment={moment} facets={facets} onChange={change} />}
      footer={
        rows.length > 0 && (
          <>
            <span>
              {t(list.hasNextPage ? 'log.shownMore' : 'log.shown', { shown: rows.length })}
            </span>
            <span>
              {t('log.footer', { time: new Date(list.dataUpdatedAt), zone: moment.zone })}
            </span>
          </>
        )
      }
      {...useNoLines(state, change)}
      panel={
        state.open !== undefined && (
          <AuditPanel
            key={state.open}
            id={state.open}
            organization={organizationsOf(state, org)}
            onClose={() => void change({ line: undefined })}
            Actions={Narrower}
          />
        )
      }
    />
  )
}

/** The moment that moving ranges end at: it stands still until the person asks for new lines. */
function useMoment() {
  const { locale } = useIntl()
  const [now, setNow] = useState(() => Date.now())
  const zone = usualZone()
  const moment = useMemo(() => ({ now, zone, weekStart: weekStartOf(locale) }), [now, zone, locale])
  return { moment, renew: () => setNow(Date.now()) }
}

type Moment = ReturnType<typeof useMoment>['moment']

function useFacets(state: LogState, org: string, moment: Moment): Facets | undefined {
  const asked = { organization: organizationsOf(state, org), ...timeOf(state, moment) }
  const facets = query(auditApi.facets, { query: asked })
  return useQuery({ ...facets, placeholderData: keepPreviousData }).data
}

type FigureProps = { state: LogState; facets: Facets | undefined; onChange: Change }

function Outcomes({ state, facets, onChange }: FigureProps) {
  const t = useWords()
  const intl = useIntl()
  const countOf = (outcome: string) =>
    facets?.outcomes.find(({ value }) => value === outcome)?.count ?? 0
  const figure = (count: number) => (facets ? { value: intl.formatNumber(count) } : {})
  const all = countOf('done') + countOf('refused')
  return (
    <KpiChips
      label={t('log.outcomes')}
      active={state.outcome ?? 'all'}
      onChange={(id) => void onChange({ outcome: id === 'all' ? undefined : id })}
      items={[
        {
          id: 'all',
          label: t('log.all'),
          ...figure(all),
          ...(all >= mostCounted && { note: t('log.newest', { count: mostCounted }) }),
        },
        { id: 'done', label: t('log.done'), tone: 'ok', ...figure(countOf('done')) },
        { id: 'refused', label: t('log.refused'), tone: 'alarm', ...figure(countOf('refused')) },
      ]}
    />
  )
}

/** The server counts no more than the newest lines of a time. */
const mostCounted = 50_000

/** Buttons that narrow the list to what a line is about, or to who did it. */
function Narrower({ entry }: { entry: EntryDetail }) {
  const t = useWords()
  const [, onChange] = useSearch()
  const { who } = useAuditText()
  const { actor, target, resource } = entry
  return (
    <>
      {target !== '' && (
        <Button variant="default" onClick={() => void onChange({ ...noFilters, target, resource })}>
          {t('log.onlyThis')}
        </Button>
      )}
      {actor.username !== '' && (
        <Button
          variant="default"
          onClick={() => void onChange({ ...noFilters, actor: actor.username })}
        >
          {t('log.onlyWho', { name: shortened(who(entry)) })}
        </Button>
      )}
    </>
  )
}

/** Texts of a list without lines. */
function useNoLines(state: LogState, onChange: Change) {
  const t = useWords()
  const widen = (
    <Button variant="default" onClick={() => void onChange({ time: '90d' })}>
      {t('log.widen')}
    </Button>
  )
  return {
    none: {
      title: t('log.none'),
      text: t('log.noneText'),
      action: state.range !== '90d' && widen,
    },
    filtered: isFiltered(state)
      ? {
          title: t('log.notFound'),
          text: t('log.notFoundText'),
          clear: t('log.clearFilter'),
          onClear: () => void onChange(noFilters),
        }
      : undefined,
  }
}
