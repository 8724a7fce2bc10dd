import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import type { Report } from './report-calls.ts'
import classes from './report.module.css'
import { TableFrame } from './TableFrame.tsx'
import { verdictOf } from './targets.ts'
import { useFigureText } from './use-figure-text.ts'
import { VerdictTag } from './VerdictTag.tsx'

/** Figures of each shift beside each other. */
export function ShiftTable({ report: { shifts } }: { report: Report }) {
  const t = useWords()
  const { figure, number, length } = useFigureText()
  return (
    <Panel title={t('alarm-report.shifts')}>
      <TableFrame label={t('alarm-report.shifts')}>
        <thead>
          <tr>
            <th scope="col">{t('alarm-report.shift')}</th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.alarms')}
            </th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.anHour')}
            </th>
            <th scope="col">{t('alarm-report.verdict')}</th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.floods')}
            </th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.most')}
            </th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.toAcknowledge')}
            </th>
          </tr>
        </thead>
        <tbody>
          {shifts.map((shift) => (
            <tr key={shift.begins}>
              <th scope="row" className={classes.nowrap}>
                {shift.begins}–{shift.ends}
              </th>
              <td className={classes.number}>{number(shift.alarms)}</td>
              <td className={classes.number}>{figure('perHour', shift.perHour)}</td>
              <td>
                <VerdictTag verdict={verdictOf('perHour', shift.perHour)} />
              </td>
              <td className={classes.number}>{figure('floodShare', shift.floodShare)}</td>
              <td className={classes.number}>{number(shift.mostInTenMinutes)}</td>
              <td className={classes.number}>{length(shift.acknowledgeMedianS)}</td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}
