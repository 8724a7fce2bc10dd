import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import type { Report } from './report-calls.ts'
import classes from './report.module.css'
import { TableFrame } from './TableFrame.tsx'
import { judged, judgedValues, verdictOf } from './targets.ts'
import { useFigureText } from './use-figure-text.ts'
import { VerdictTag } from './VerdictTag.tsx'

/** Each figure with its target and judgement. */
export function FigureTable({ report }: { report: Report }) {
  const t = useWords()
  const { figure, target, length, number } = useFigureText()
  const values = judgedValues(report)
  const { alarms, hours, acknowledged, acknowledgeMedianS, acknowledge95S } = report.whole
  return (
    <Panel
      title={t('alarm-report.figures')}
      beside={
        <span className={classes.dim}>
          {t('alarm-report.counted', { alarms, sources: report.sources, hours: Math.round(hours) })}
        </span>
      }
    >
      <TableFrame label={t('alarm-report.figures')}>
        <thead>
          <tr>
            <th scope="col">{t('alarm-report.figure')}</th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.value')}
            </th>
            <th scope="col">{t('alarm-report.targetHead')}</th>
            <th scope="col">{t('alarm-report.verdict')}</th>
          </tr>
        </thead>
        <tbody>
          {judged.map((name) => (
            <tr key={name}>
              <th scope="row">
                {t(`alarm-report.name.${name}`)}
                <span className={classes.note}>{t(`alarm-report.note.${name}`)}</span>
              </th>
              <td className={classes.big}>{figure(name, values[name])}</td>
              <td className={classes.dim}>{target(name)}</td>
              <td>
                <VerdictTag verdict={verdictOf(name, values[name])} />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">
              {t('alarm-report.acknowledge')}
              <span className={classes.note}>
                {t('alarm-report.acknowledgedOf', { count: number(acknowledged) })}
              </span>
            </th>
            <td className={classes.big}>{length(acknowledgeMedianS)}</td>
            <td className={classes.dim} colSpan={2}>
              {acknowledge95S !== null &&
                t('alarm-report.acknowledge95', { time: length(acknowledge95S) })}
            </td>
          </tr>
        </tbody>
      </TableFrame>
    </Panel>
  )
}
