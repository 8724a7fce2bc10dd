import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import type { Trigger } from '../trigger-calls.ts'
import classes from './CounterBar.module.css'

type Props = {
  counters: Trigger['longreach']['counters']
  /** Firings that fill the bar. */
  most: number
}

/** Firings of the last 24 hours as a small bar: those that ran, those that were throttled, and the rest. */
export function CounterBar({ counters, most }: Props) {
  const t = useWords()
  const { formatNumber } = useIntl()
  const { counterIn, counterOut, counterThrottled } = counters
  const share = (count: number) => `${(100 * count) / Math.max(1, most)}%`
  const rest = Math.max(0, counterIn - counterOut - counterThrottled)
  return (
    <span
      className={classes.counter}
      title={t('trigger.counters', {
        fired: counterIn,
        ran: counterOut,
        throttled: counterThrottled,
      })}
    >
      <span className={classes.bar} aria-hidden="true">
        <span className={classes.ran} style={{ width: share(counterOut) }} />
        <span className={classes.throttled} style={{ width: share(counterThrottled) }} />
        <span className={classes.rest} style={{ width: share(rest) }} />
      </span>
      <span className={classes.figures}>
        {[counterIn, counterOut, counterThrottled].map((count) => formatNumber(count)).join(' / ')}
      </span>
    </span>
  )
}
