import { Panel } from '@longreach/ui/PageHeader'
import { chartColors } from '@longreach/ui/series-colors'
import { TimeChart } from '@longreach/ui/TimeChart'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import type { Report } from './report-calls.ts'
import { targets } from './targets.ts'

const hourMs = 3_600_000

/** Alarms an hour over the time, by hour or shift, with the limits of what is good and bearable. */
export function ReportChart({ report, zone }: { report: Report; zone: string }) {
  const t = useWords()
  const { from, to, course } = report
  const window = useMemo(() => ({ from, to }), [from, to])
  const { good, bearable = good } = targets.perHour
  const rates = course.map((one) => (one.alarms * hourMs) / (one.to - one.from))
  const end = course.at(-1)?.to
  const limit = (id: 'good' | 'bearable', value: number, color: string) => ({
    id,
    name: t(`alarm-report.limit.${id}`),
    color,
    times: [from, to],
    values: [value, value],
    dashed: true,
  })
  return (
    <Panel title={t('alarm-report.course')}>
      <TimeChart
        label={t('alarm-report.course')}
        series={[
          {
            id: 'rate',
            name: t('alarm-report.name.perHour'),
            color: chartColors[0] ?? 'var(--chart-1)',
            times: [...course.map((one) => one.from), ...(end === undefined ? [] : [end])],
            values: [...rates, ...(end === undefined ? [] : [rates.at(-1) ?? 0])],
            step: true,
            kind: 'step',
          },
          limit('good', good, 'var(--lr-ok)'),
          limit('bearable', bearable, 'var(--lr-warning)'),
        ]}
        window={window}
        zone={zone}
        height={200}
      />
    </Panel>
  )
}
