import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../../parts/pages/page-links.ts'
import type { Report } from './report-calls.ts'
import classes from './report.module.css'
import { TableFrame } from './TableFrame.tsx'

/** Alarms that stood, or waited for a person, for over a day at the end of the report. */
export function LongAlarms({ report }: { report: Report }) {
  return (
    <div className={classes.pair}>
      {(['standing', 'stale'] as const).map(
        (kind) => report[kind].count > 0 && <Long key={kind} kind={kind} {...report[kind]} />,
      )}
    </div>
  )
}

function Long({ kind, count, longest }: { kind: 'standing' | 'stale' } & Report['standing']) {
  const t = useWords()
  return (
    <Panel title={t(`alarm-report.long.${kind}`, { count })}>
      <TableFrame label={t(`alarm-report.long.${kind}`, { count })}>
        <thead>
          <tr>
            <th scope="col">{t('alarm-report.alarm')}</th>
            <th scope="col">{t('alarm-report.device')}</th>
            <th scope="col">{t('alarm-report.since')}</th>
          </tr>
        </thead>
        <tbody>
          {longest.map(({ id, name, device, since }) => (
            <tr key={id}>
              <th scope="row">
                <Link
                  className={classes.link}
                  {...linkTo('/alarms/alarms-history', { search: { alarm: id, range: '90d' } })}
                >
                  {name}
                </Link>
              </th>
              <td>{device}</td>
              <td>
                <RelativeTime at={new Date(since)} />
              </td>
            </tr>
          ))}
        </tbody>
      </TableFrame>
    </Panel>
  )
}
