import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../../parts/pages/page-links.ts'
import type { Report } from './report-calls.ts'
import classes from './report.module.css'
import { TableFrame } from './TableFrame.tsx'
import { useFigureText } from './use-figure-text.ts'

/** The ten most frequent alarms, and the ten devices with the most. */
export function FrequentTables({ report }: { report: Report }) {
  const t = useWords()
  const { number, share } = useFigureText()
  const { alarms } = report.whole
  const partOf = (count: number) => share(alarms > 0 ? count / alarms : null)
  return (
    <div className={classes.pair}>
      <Panel title={t('alarm-report.worst')}>
        <TableFrame label={t('alarm-report.worst')}>
          <FrequentHead first={t('alarm-report.alarm')} second={t('alarm-report.device')} />
          <tbody>
            {report.worst.map(({ deviceId, device, name, count, chattered }) => (
              <tr key={`${deviceId} ${name}`}>
                <th scope="row">
                  {name}
                  {chattered > 0 && (
                    <span className={classes.note}>
                      {t('alarm-report.chattered', { count: chattered })}
                    </span>
                  )}
                </th>
                <td>{device}</td>
                <td className={classes.number}>{number(count)}</td>
                <td className={classes.number}>{partOf(count)}</td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </Panel>
      <Panel title={t('alarm-report.devices')}>
        <TableFrame label={t('alarm-report.devices')}>
          <FrequentHead first={t('alarm-report.device')} second={t('alarm-report.mostOften')} />
          <tbody>
            {report.devices.map(({ deviceId, device, count, mostOften }) => (
              <tr key={deviceId}>
                <th scope="row">
                  <Link
                    className={classes.link}
                    {...linkTo('/alarms/alarms-history', { search: { device: deviceId } })}
                  >
                    {device}
                  </Link>
                </th>
                <td>{mostOften}</td>
                <td className={classes.number}>{number(count)}</td>
                <td className={classes.number}>{partOf(count)}</td>
              </tr>
            ))}
          </tbody>
        </TableFrame>
      </Panel>
    </div>
  )
}

function FrequentHead({ first, second }: { first: string; second: string }) {
  const t = useWords()
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        <th scope="col">{second}</th>
        <th scope="col" className={classes.number}>
          {t('alarm-report.alarms')}
        </th>
        <th scope="col" className={classes.number}>
          {t('alarm-report.share')}
        </th>
      </tr>
    </thead>
  )
}
