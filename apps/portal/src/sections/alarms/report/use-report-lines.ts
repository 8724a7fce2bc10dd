import type { CsvCell } from '@longreach/kit/csv'
import { useWords } from '@longreach/ui/use-words'
import type { Report } from './report-calls.ts'
import type { ReportState } from './report-url.ts'
import { judged, sharesOf, judgedValues, verdictOf } from './targets.ts'
import { useFigureText } from './use-figure-text.ts'

/** Lines of the file of a report: part, name, figure, target and judgement; shares are 0 to 1, times seconds. */
export function useReportLines() {
  const t = useWords()
  const { target } = useFigureText()
  const wholeLines = (report: Report): CsvCell[][] => {
    const values = judgedValues(report)
    const { alarms, hours, acknowledged, acknowledgeMedianS, acknowledge95S } = report.whole
    const part = t('alarm-report.figures')
    return [
      [part, t('alarm-report.alarms'), alarms],
      [part, t('alarm-report.hours'), hours],
      ...judged.map((name) => [
        part,
        t(`alarm-report.name.${name}`),
        values[name],
        target(name),
        t(`alarm-report.verdict.${verdictOf(name, values[name])}`),
      ]),
      [part, t('alarm-report.acknowledgedCount'), acknowledged],
      [part, t('alarm-report.csv.median'), acknowledgeMedianS],
      [part, t('alarm-report.csv.most95'), acknowledge95S],
      ...sharesOf(report.whole).map(({ name, share, target: wanted, verdict }) => [
        t('alarm-report.priorities'),
        t(`alarm-report.priority.${name}`),
        share,
        wanted,
        t(`alarm-report.verdict.${verdict}`),
      ]),
    ]
  }
  const shiftLines = ({ shifts }: Report): CsvCell[][] =>
    shifts.flatMap((shift) => {
      const part = `${t('alarm-report.shift')} ${shift.begins}–${shift.ends}`
      return [
        [part, t('alarm-report.alarms'), shift.alarms],
        ...(['perHour', 'floodShare', 'mostInTenMinutes'] as const).map((name) => [
          part,
          t(`alarm-report.name.${name}`),
          shift[name],
          target(name),
          t(`alarm-report.verdict.${verdictOf(name, shift[name])}`),
        ]),
        [part, t('alarm-report.csv.median'), shift.acknowledgeMedianS],
        [part, t('alarm-report.csv.most95'), shift.acknowledge95S],
      ]
    })
  const frequentLines = ({ rules, worst, devices }: Report): CsvCell[][] => [
    ...rules.map(({ name, count }) => [t('alarm-report.rules'), name, count]),
    ...worst.map(({ name, device, count }) => [
      t('alarm-report.worst'),
      `${device}: ${name}`,
      count,
    ]),
    ...devices.map(({ device, count }) => [t('alarm-report.devices'), device, count]),
  ]
  return (report: Report, { window: { from, to }, zone }: ReportState): CsvCell[][] => [
    [
      t('alarm-report.csv.part'),
      t('alarm-report.figure'),
      t('alarm-report.value'),
      t('alarm-report.targetHead'),
      t('alarm-report.verdict'),
    ],
    [
      t('alarm-report.csv.time'),
      zone,
      `${new Date(from).toISOString()}/${new Date(to).toISOString()}`,
    ],
    ...wholeLines(report),
    ...shiftLines(report),
    ...frequentLines(report),
  ]
}
