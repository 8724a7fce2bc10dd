import type { Policy } from '@longreach/rules/policy'
import { useWords } from '@longreach/ui/use-words'
import { useId } from 'react'
import { useIntl } from 'react-intl'
import { lengthText } from '../../../parts/alarms/length-text.ts'
import { valueAt } from '../../../parts/forms/draft-places.ts'
import { usualZone } from '../../../parts/look/time-zone.ts'
import { matcherText } from '../sentence/matcher-text.ts'
import { policyTokens, textOfTokens } from '../sentence/sentence-tokens.ts'
import { useSaying } from '../sentence/use-sentence.ts'
import type { Trial } from '../trigger-calls.ts'
import { useTimeText } from '../use-time-text.ts'
import classes from './truth-lanes.module.css'

type Device = Trial['devices'][number]
type Condition = Device['conditions'][number]
type Span = Condition['spans'][number]
type Props = {
  device: Device
  /** Policy as it was tried. */
  policy: Policy
  range: { from: number; to: number }
  label: string
}

/** States in the order of the legend; a condition that does not hold has no colour. */
const shownStates = ['yes', 'waits', 'several', 'unknown'] as const
/** Spans that the text of a lane lists. */
const mostSpoken = 12

/** Time-line of the firings on a device and, below it, of each condition: whether it held, and since when. */
export function TruthLanes({ device, policy, range, label }: Props) {
  const t = useWords()
  const { locale } = useIntl()
  const words = useConditionText(policy)
  const day = (at: number) =>
    new Date(at).toLocaleString(locale, {
      dateStyle: 'short',
      timeStyle: 'short',
      timeZone: usualZone(),
    })
  const almost = almostOf(device)
  return (
    <section className={classes.lanes} aria-label={t('trigger-trial.lanes', { device: label })}>
      <MomentLane
        name={t('trigger-trial.fired')}
        kind="fired"
        range={range}
        count={device.count}
        marks={device.firings.map(({ t: at }) => ({ from: at, to: at }))}
      />
      {almost.length > 0 && (
        <MomentLane
          name={t('trigger-trial.almost')}
          kind="almost"
          range={range}
          count={almost.length}
          marks={almost}
        />
      )}
      {device.conditions.map((condition) => (
        <Lane
          key={`${condition.place} ${condition.path} ${condition.instance}`}
          condition={condition}
          name={words(condition)}
          range={range}
        />
      ))}
      <div className={classes.axis}>
        <span>{day(range.from)}</span>
        <span>{day(range.to)}</span>
      </div>
      {device.furtherConditions > 0 && (
        <p className={classes.note}>
          {t('trigger-trial.further', { count: device.furtherConditions })}
        </p>
      )}
      <StateLegend conditions={device.conditions} />
      <OneShort moments={device.oneShort} words={words} />
    </section>
  )
}

type OneShortProps = {
  moments: Device['oneShort']
  words: (of: Pick<Condition, 'place' | 'path'>) => string
}

/** Times at which one condition alone was missing, and which one. */
function OneShort({ moments, words }: OneShortProps) {
  const t = useWords()
  const { locale } = useIntl()
  const timeText = useTimeText()
  if (moments.length === 0) return null
  return (
    <details className={classes.short}>
      <summary>{t('trigger-trial.oneShort', { count: moments.length })}</summary>
      <ol>
        {moments.map(({ from, to, place, instance }) => (
          <li key={`${from} ${place} ${instance}`}>
            <time dateTime={new Date(from).toISOString()}>{timeText(from)}</time>
            <span>
              {t('trigger-trial.missed', {
                condition: words({ place, path: '' }),
                length: lengthText(Math.max(1_000, to - from), locale),
              })}
            </span>
          </li>
        ))}
      </ol>
    </details>
  )
}

/** Times at which one condition alone was missing, or a delay was broken off. */
const almostOf = ({ oneShort, nearestMisses }: Device) => [
  ...oneShort,
  ...nearestMisses.map(({ t, heldMs }) => ({ from: t, to: t + heldMs })),
]

/** Words of a condition by its place, with the path that it looks at where its words do not name it. */
function useConditionText(policy: Policy) {
  const t = useWords()
  const saying = useSaying()
  return ({ place, path }: Pick<Condition, 'place' | 'path'>) => {
    const part = valueAt({ policy }, place) as Policy | undefined // a place of this policy
    const text = part === undefined ? '' : textOfTokens(policyTokens(part, saying, place))
    const found = path === '' || path === 'connection' ? '' : matcherText(path, t)
    if (text === '') return found === '' ? place : found
    return found === '' || text.includes(found) ? text : `${text} (${found})`
  }
}

const share = (ms: number, { from, to }: Props['range']) => `${(ms / (to - from)) * 100}%`

type MomentLaneProps = {
  name: string
  kind: 'fired' | 'almost'
  range: Props['range']
  /** Number of all of them; the first 1,000 are drawn. */
  count: number
  marks: readonly { from: number; to: number }[]
}

/** Lane of moments. */
function MomentLane({ name, kind, range, count, marks }: MomentLaneProps) {
  const { formatNumber } = useIntl()
  const timeText = useTimeText()
  const spoken = marks.slice(-mostSpoken).map(({ from }) => timeText(from))
  return (
    <div className={classes.lane}>
      <span className={classes.name}>
        {name}
        <b>{formatNumber(count)}</b>
      </span>
      <div className={classes.track} role="img" aria-label={`${name}: ${spoken.join(', ')}`}>
        {marks.map(({ from, to }, index) => (
          <i
            // oxlint-disable-next-line react/no-array-index-key -- two may have the same times
            key={index}
            className={classes.mark}
            data-kind={kind}
            title={timeText(from)}
            style={{
              left: share(Math.max(0, from - range.from), range),
              width: share(to - Math.max(from, range.from), range),
            }}
          />
        ))}
      </div>
    </div>
  )
}

type LaneProps = { condition: Condition; name: string; range: Props['range'] }

/** Lane of one condition, with its last state and since when that is so. */
function Lane({ condition: { spans }, name, range }: LaneProps) {
  const t = useWords()
  const timeText = useTimeText()
  const id = useId()
  const last = spans.at(-1)
  const spanText = ({ state, from, to }: Span) =>
    `${t(`trigger-trial.state.${state}`)} ${timeText(from)} – ${timeText(to)}`
  return (
    <div className={classes.lane}>
      <span className={classes.name} id={id}>
        {name}
        {last && (
          <small>
            {t(`trigger-trial.state.${last.state}`)} ·{' '}
            {t('trigger-trial.since', { time: timeText(last.from) })}
          </small>
        )}
      </span>
      <div
        className={classes.track}
        role="img"
        aria-label={`${name}: ${spans.slice(-mostSpoken).map(spanText).join(', ')}`}
      >
        {spans
          .filter(({ state }) => state !== 'no')
          .map((span) => (
            <i
              key={`${span.from} ${span.to}`}
              className={classes.span}
              data-state={span.state}
              title={spanText(span)}
              style={{
                left: share(span.from - range.from, range),
                width: share(span.to - span.from, range),
              }}
            />
          ))}
      </div>
    </div>
  )
}

/** States that are in the lanes, by colour and word. */
function StateLegend({ conditions }: Pick<Device, 'conditions'>) {
  const t = useWords()
  const there = new Set(conditions.flatMap(({ spans }) => spans.map(({ state }) => state)))
  const shown = shownStates.filter((state) => there.has(state))
  if (shown.length === 0) return null
  return (
    <ul className={classes.legend}>
      {shown.map((state) => (
        <li key={state}>
          <i className={classes.swatch} data-state={state} />
          {t(`trigger-trial.state.${state}`)}
        </li>
      ))}
    </ul>
  )
}
