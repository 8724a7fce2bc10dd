import { KpiChips } from '@longreach/ui/KpiChips'
import { useWords } from '@longreach/ui/use-words'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useIntl } from 'react-intl'
import { alarmsQuery } from '../../parts/alarms/alarm-calls.ts'
import { countOf, severityNames } from '../../parts/alarms/severity.ts'
import { SeverityShape } from '../../parts/alarms/SeverityMark.tsx'
import { useReach } from '../../parts/session/reach.ts'
import { type ListState, questionOf } from './alarms-url.ts'

type Props = { state: ListState; onChange: (severity: string | undefined) => void }

/** Numbers of open alarms by severity under the other filters; each figure is also a filter. */
export function SeverityFigures({ state, onChange }: Props) {
  const t = useWords()
  const { formatNumber } = useIntl()
  const question = questionOf('open', { ...state, severity: undefined })
  const { data } = useInfiniteQuery(alarmsQuery(useReach(), question))
  const counts = data?.pages[0]?.counts.bySeverity
  return (
    <KpiChips
      label={t('alarms.figures')}
      active={state.severity}
      onChange={onChange}
      items={severityNames.map((name) => ({
        id: name,
        label: t(`alarm.severity.${name}`),
        mark: <SeverityShape name={name} />,
        ...(counts && { value: formatNumber(countOf(counts, name)) }),
      }))}
    />
  )
}
