import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { useEffect, useState } from 'react'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'
import { useSearch } from '../../../parts/pages/use-search.ts'
import { useSession } from '../../../parts/session/session.ts'
import { AlarmTabs } from '../AlarmTabs.tsx'
import { BadActors } from './BadActors.tsx'
import { FigureTable } from './FigureTable.tsx'
import { FrequentTables } from './FrequentTables.tsx'
import { LongAlarms } from './LongAlarms.tsx'
import { PriorityTable } from './PriorityTable.tsx'
import { keepPrintsLight } from './print-light.ts'
import { useReport } from './report-calls.ts'
import { reportState } from './report-url.ts'
import classes from './report.module.css'
import { ReportActions } from './ReportActions.tsx'
import { ReportChart } from './ReportChart.tsx'
import { ReportControls } from './ReportControls.tsx'
import { ShiftTable } from './ShiftTable.tsx'
import { useWindowText } from './use-window-text.ts'

/** Report on the alarms of a time: whether people can follow them, and what would mend the worst. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  // It stands still, so that the report does not move while it is read.
  const [now] = useState(() => Date.now())
  const state = reportState(search, now)
  const { data, error, refetch, isPlaceholderData } = useReport(state)
  const organization = useSession().organization
  const windowText = useWindowText()(state)
  useEffect(keepPrintsLight, [])
  return (
    <Page>
      <PageHeader
        title={t('shell.section.alarms')}
        help={t('alarm-report.help')}
        actions={data && <ReportActions report={data} state={state} />}
      />
      <AlarmTabs />
      <ReportControls state={state} now={now} onChange={change} />
      <p className={classes.printed}>
        {t('alarm-report.printed', {
          organization: organization.label || organization.name,
          window: windowText,
          zone: state.zone,
        })}
      </p>
      {data === undefined ? (
        <ContentPending error={error} refetch={refetch} rows={12} />
      ) : data.whole.alarms === 0 && data.standing.count + data.stale.count === 0 ? (
        <EmptyState
          kind="nothing"
          title={t('alarm-report.none')}
          text={t('alarm-report.noneText')}
        />
      ) : (
        <div className={classes.report} aria-busy={isPlaceholderData}>
          <FigureTable report={data} />
          <ReportChart report={data} zone={state.zone} />
          <div className={classes.pair}>
            <ShiftTable report={data} />
            <PriorityTable report={data} />
          </div>
          <BadActors report={data} />
          <FrequentTables report={data} />
          <LongAlarms report={data} />
        </div>
      )}
    </Page>
  )
}
