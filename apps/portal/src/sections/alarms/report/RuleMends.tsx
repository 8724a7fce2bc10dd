import type { Rule } from '@longreach/rules/rule'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconFlask } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { api } from '../../../parts/api/api.ts'
import { linkTo } from '../../../parts/pages/page-links.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { ruleOf } from '../rules/rule-calls.ts'
import { type FrequentRule, useReportedRule } from './report-calls.ts'
import own from './BadActors.module.css'
import classes from './report.module.css'
import { type Mend, mended, mendSearch, mendsOf } from './rule-mends.ts'

const triedDays = 7
const dayMs = 86_400_000

/** Changes that would mend a rule, as what happened proposes them. */
export function RuleMends({ ruleId, found }: { ruleId: string; found: FrequentRule }) {
  const t = useWords()
  const { data, error } = useReportedRule(ruleId)
  if (error) return <p className={classes.note}>{t('alarm-report.noRule')}</p>
  if (data === undefined) return null
  const rule = ruleOf(data)
  const mends = mendsOf(rule, found)
  if (mends.length === 0) return <p className={classes.note}>{t('alarm-report.noMend')}</p>
  return (
    <ul className={own.mends}>
      {mends.map((mend) => (
        <MendLine
          key={mend.kind}
          {...{ ruleId, rule, mend }}
          devices={found.devices.map(({ deviceId }) => deviceId)}
          editable={data.may.includes('update')}
        />
      ))}
    </ul>
  )
}

type LineProps = {
  ruleId: string
  rule: Rule
  mend: Mend
  devices: readonly string[]
  editable: boolean
}

/** One change, its effect on the last days by the code that judges rules, and the way to the editor. */
function MendLine({ ruleId, rule, mend, devices, editable }: LineProps) {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const errorText = useErrorText()
  const trial = useMendTrial({ ruleId, rule, mend, devices })
  const name =
    mend.kind === 'delay'
      ? t('alarm-report.mend.delay', { time: lengthText(mend.delayMs, locale) })
      : t('alarm-report.mend.band', { band: formatNumber(mend.band, { maximumFractionDigits: 9 }) })
  return (
    <li className={own.mend}>
      <span className={classes.mendName}>{name}</span>
      <span className={own.effect} aria-live="polite">
        {trial.data && (
          <b>
            {t(trial.data.complete ? 'alarm-report.effect' : 'alarm-report.effectCut', {
              before: formatNumber(trial.data.before),
              after: formatNumber(trial.data.after),
              days: triedDays,
            })}
          </b>
        )}
        {trial.error && <span className={own.fault}>{errorText(trial.error).message}</span>}
      </span>
      <span className={own.mendActions}>
        {devices.length > 0 && (
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconFlask size={14} stroke={1.8} />}
            loading={trial.isPending}
            aria-label={t('alarm-report.tryNamed', { mend: name, rule: rule.name })}
            onClick={() => trial.mutate()}
          >
            {t('alarm-report.try')}
          </Button>
        )}
        {editable && (
          <Button
            variant="default"
            size="compact-sm"
            component={Link}
            aria-label={t('alarm-report.editNamed', { mend: name, rule: rule.name })}
            {...linkTo('/alarms/rules/$ruleId', { params: { ruleId }, search: mendSearch(mend) })}
          >
            {t('alarm-report.edit')}
          </Button>
        )}
      </span>
    </li>
  )
}

/** Trial of a changed rule on the last days of the devices with the most alarms. */
function useMendTrial({ ruleId, rule, mend, devices }: Omit<LineProps, 'editable'>) {
  const organization = useReach()
  return useMutation({
    mutationFn: async () => {
      const to = Date.now()
      const tried = await api.platform.tryRule({
        query: { organization },
        body: {
          rule: mended(rule, mend),
          ruleId,
          devices: [...devices],
          from: to - triedDays * dayMs,
          to,
        },
      })
      let [before, after] = [0, 0]
      for (const { count, difference } of tried.devices) {
        // A device that the saved rule does not judge any more has nothing to compare.
        if (difference === null) continue
        after += count
        before += count - difference.more + difference.fewer
      }
      return { before, after, complete: tried.complete }
    },
  })
}
