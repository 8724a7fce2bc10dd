import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { alarmsQuery } from '../../parts/alarms/alarm-calls.ts'
import { queries } from '../../parts/api/queries.ts'
import type { Asked } from '../../parts/pages/section.ts'
import { useMay } from '../../parts/session/session.ts'
import { listState, questionOf } from './alarms-url.ts'
import { OpenAlarms } from './OpenAlarms.tsx'

/** Starts the call for the open alarms. */
export function loader({ reach, search }: Asked) {
  void queries.prefetchInfiniteQuery(alarmsQuery(reach, questionOf('open', listState(search))))
}

/** The open alarms of the organization, severest first. */
export function Component() {
  const t = useWords()
  if (useMay()('alarms:read')) return <OpenAlarms />
  return (
    <Page>
      <PageHeader title={t('shell.section.alarms')} />
      <EmptyState kind="forbidden" title={t('alarms.mayNotRead')} text={t('alarms.askForRead')} />
    </Page>
  )
}
