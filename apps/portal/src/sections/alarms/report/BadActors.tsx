import { Panel } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Link } from '@tanstack/react-router'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { RuleMends } from './RuleMends.tsx'
import { type FrequentRule, type Report, useReportedRule } from './report-calls.ts'
import own from './BadActors.module.css'
import classes from './report.module.css'
import { useFigureText } from './use-figure-text.ts'

/** The ten rules that raised most, each with what would mend it. */
export function BadActors({ report }: { report: Report }) {
  const t = useWords()
  return (
    <Panel title={t('alarm-report.rules')}>
      <p className={own.lead}>{t('alarm-report.rulesHelp')}</p>
      <ol className={own.actors}>
        {report.rules.map((rule) => (
          <BadActor
            key={rule.ruleId ?? `device ${rule.name}`}
            rule={rule}
            alarms={report.whole.alarms}
          />
        ))}
      </ol>
    </Panel>
  )
}

function BadActor({ rule, alarms }: { rule: FrequentRule; alarms: number }) {
  const t = useWords()
  const { number, share, length } = useFigureText()
  const { ruleId, name, count, chattered, lastedMedianS } = rule
  const isReadable = useReportedRule(ruleId).data !== undefined
  return (
    <li className={own.actor}>
      <div className={own.actorHead}>
        {ruleId === null || !isReadable ? (
          <b>{name}</b>
        ) : (
          <Link
            className={classes.link}
            {...linkTo('/alarms/rules/$ruleId', { params: { ruleId } })}
          >
            {name}
          </Link>
        )}
        <span className={own.figure}>
          <b>{number(count)}</b>{' '}
          <span className={classes.dim}>{share(alarms > 0 ? count / alarms : null)}</span>
        </span>
      </div>
      <meter
        className={classes.meter}
        aria-label={t('alarm-report.share')}
        value={alarms > 0 ? count / alarms : 0}
      />
      <p className={classes.note}>
        {[
          ...(ruleId === null ? [t('alarm-report.ofDevice')] : []),
          ...(chattered > 0 ? [t('alarm-report.chattered', { count: chattered })] : []),
          ...(lastedMedianS === null
            ? []
            : [t('alarm-report.lasted', { time: length(lastedMedianS) })]),
        ].join(' · ')}
      </p>
      {ruleId !== null && <RuleMends ruleId={ruleId} found={rule} />}
    </li>
  )
}
