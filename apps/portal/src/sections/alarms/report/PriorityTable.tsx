import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import type { Report } from './report-calls.ts'
import classes from './report.module.css'
import { TableFrame } from './TableFrame.tsx'
import { sharesOf } from './targets.ts'
import { useFigureText } from './use-figure-text.ts'
import { VerdictTag } from './VerdictTag.tsx'

/** Shares of the alarms by priority beside the shares that they should have. */
export function PriorityTable({ report }: { report: Report }) {
  const t = useWords()
  const { share: shareText, number } = useFigureText()
  return (
    <Panel title={t('alarm-report.priorities')}>
      <TableFrame label={t('alarm-report.priorities')}>
        <thead>
          <tr>
            <th scope="col">{t('alarm-report.priority')}</th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.alarms')}
            </th>
            <th scope="col">{t('alarm-report.share')}</th>
            <th scope="col" className={classes.number}>
              {t('alarm-report.targetHead')}
            </th>
            <th scope="col">{t('alarm-report.verdict')}</th>
          </tr>
        </thead>
        <tbody>
          {sharesOf(report.whole).map(({ name, count, share, target, verdict }) => (
            <tr key={name}>
              <th scope="row">{t(`alarm-report.priority.${name}`)}</th>
              <td className={classes.number}>{number(count)}</td>
              <td>
                <span className={classes.bar}>
                  <meter
                    className={classes.meter}
                    aria-label={t('alarm-report.share')}
                    value={share ?? 0}
                  />
                  {shareText(share)}
                </span>
              </td>
              <td className={classes.number}>{shareText(target)}</td>
              <td>
                <VerdictTag verdict={verdict} />
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}
