import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { formatTime } from '@longreach/ui/format'
import { Facts } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { classes } from './rule-classes.ts'

type Trial = Result<(typeof platformContract)['endpoints']['tryRule']>
type Tried = Trial['devices'][number]

const mostShown = 5

/** Alarms that the rule would have raised on one device, the difference from the saved rule, and what nearly was. */
export function TriedDevice({ tried, label }: { tried: Tried; label: string }) {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const { difference, missing, occurrences, nearestMisses } = tried
  const time = (at: number) => formatTime(new Date(at), locale, usualZone())
  const items = [
    { label: t('alarm-rules.trial.hours'), value: formatNumber(tried.hours) },
    { label: t('alarm-rules.trial.short'), value: formatNumber(tried.under5s) },
    { label: t('alarm-rules.trial.most'), value: formatNumber(tried.mostInTenMinutes) },
    ...(difference
      ? [
          {
            label: t('alarm-rules.trial.difference'),
            value: t('alarm-rules.trial.changes', difference),
          },
        ]
      : []),
  ]
  return (
    <section>
      <p className={classes.label}>
        {t('alarm-rules.trial.count', { device: label, count: tried.count })}
      </p>
      {missing.length > 0 && (
        <p className={classes.fault}>
          {t('alarm-rules.trial.missing', { paths: missing.join(', ') })}
        </p>
      )}
      <Facts items={items} />
      <ul className={classes.versions}>
        {occurrences.slice(0, mostShown).map(({ instance, start, end }) => (
          <li key={`${instance} ${start}`} className={classes.dim}>
            {time(start)}
            {end !== undefined && ` · ${lengthText(end - start, locale)}`}
          </li>
        ))}
      </ul>
      {nearestMisses.length > 0 && (
        <>
          <p className={classes.label}>{t('alarm-rules.trial.misses')}</p>
          <ul className={classes.versions}>
            {nearestMisses.map(({ instance, t: at, heldMs, ofMs }) => (
              <li key={`${instance} ${at}`} className={classes.dim}>
                {t('rule-tools.miss', {
                  time: time(at),
                  held: lengthText(heldMs, locale),
                  of: lengthText(ofMs, locale),
                })}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
