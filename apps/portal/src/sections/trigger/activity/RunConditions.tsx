import type { Policy } from '@longreach/rules/policy'
import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { formatTime } from '@longreach/ui/format'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { valueAt } from '../../../parts/forms/draft-places.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { matcherText } from '../sentence/matcher-text.ts'
import { policyTokens, textOfTokens } from '../sentence/sentence-tokens.ts'
import { useSaying } from '../sentence/use-sentence.ts'
import type { RunDetail } from '../trigger-calls.ts'
import classes from './activity.module.css'

type Condition = RunDetail['conditions'][number]

const truthTone = (truth: boolean | null): Tone => (truth === null ? 'info' : truth ? 'ok' : 'off')
const conditionWord = (truth: boolean | null) =>
  truth === null ? ('unknown' as const) : truth ? ('yes' as const) : ('no' as const)

type Props = {
  run: Pick<RunDetail, 'conditions'>
  /** Policy of the version that ran; undefined where only its places are known. */
  policy: Policy | undefined
}

/** Each condition of a run: its words, whether it was true, since when, and what its delay waited for. */
export function RunConditions({ run, policy }: Props) {
  const t = useWords()
  const saying = useSaying()
  const { locale } = useIntl()
  const timeText = (at: number) => formatTime(new Date(at), locale, usualZone())
  const words = ({ place, path }: Condition) => {
    const part =
      policy === undefined ? undefined : (valueAt({ policy }, place) as Policy | undefined)
    const text = part === undefined ? '' : textOfTokens(policyTokens(part, saying, place))
    if (text === '') return path === '' ? place : matcherText(path, t)
    const found = matcherText(path, t)
    return path === '' || text.includes(found) ? text : `${text} (${found})`
  }
  return (
    <section>
      <h3 className={classes.title}>{t('trigger-runs.conditions')}</h3>
      <ol className={classes.plainList}>
        {run.conditions.map((condition) => (
          <li key={`${condition.place} ${condition.path}`} className={classes.condition}>
            <StatusDot tone={truthTone(condition.truth)}>
              {t(`trigger-runs.truth.${conditionWord(condition.truth)}`)}
            </StatusDot>
            <span className={classes.conditionText}>{words(condition)}</span>
            <span className={classes.at}>
              {condition.since !== null &&
                t('trigger-runs.sinceTime', { time: timeText(condition.since) })}
              {condition.dueAt !== null &&
                ` · ${t('trigger-runs.waits', {
                  length: lengthText(condition.timeMs, locale),
                  time: timeText(condition.dueAt),
                })}`}
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}
