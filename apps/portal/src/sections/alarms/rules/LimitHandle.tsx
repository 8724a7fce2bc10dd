import { useWords } from '@longreach/ui/use-words'
import type { KeyboardEvent, PointerEvent } from 'react'
import { useIntl } from 'react-intl'
import { severityName } from '../../../parts/alarms/severity.ts'
import { type LimitLine, movedLimit, onStep, stepOf } from './limit-lines.ts'
import classes from './LimitChart.module.css'
import { useEditing } from './rule-context.ts'
import { valueAt } from '../../../parts/forms/draft-places.ts'

type Props = { line: LimitLine; range: { low: number; high: number } }

/** Steps of a key; the larger ones are those of Page up and Page down. */
const keySteps: Record<string, number> = {
  ArrowUp: 1,
  ArrowRight: 1,
  ArrowDown: -1,
  ArrowLeft: -1,
  PageUp: 10,
  PageDown: -10,
}

/** Limit over the values, moved by pointer and by keyboard. */
export function LimitHandle({ line, range }: Props) {
  const t = useWords()
  const { formatNumber } = useIntl()
  const { rule, set, locked } = useEditing()
  const step = stepOf(range)
  const move = (to: number) =>
    set(line.place, movedLimit(valueAt(rule, line.place), line, onStep(to, step)))
  const onKeyDown = (event: KeyboardEvent) => {
    const steps = keySteps[event.key]
    if (steps === undefined || locked) return
    event.preventDefault()
    move(line.value + steps * step)
  }
  const onPointerMove = (event: PointerEvent<HTMLElement>) => {
    if (locked || !event.currentTarget.hasPointerCapture(event.pointerId)) return
    const box = event.currentTarget.parentElement?.getBoundingClientRect()
    if (box === undefined) return
    const part = Math.min(1, Math.max(0, (event.clientY - box.top) / box.height))
    move(range.high - part * (range.high - range.low))
  }
  const severity = t(`alarm.severity.${severityName(line.severity)}`)
  const name =
    line.kind === 'limit' ? t('rule-tools.limitOf', { severity }) : t('rule-tools.clearOf')
  return (
    <div
      className={classes.line}
      data-kind={line.kind}
      style={{ top: `${((range.high - line.value) / (range.high - range.low)) * 100}%` }}
      role="slider"
      tabIndex={0}
      aria-label={name}
      aria-orientation="vertical"
      aria-valuemin={range.low}
      aria-valuemax={range.high}
      aria-valuenow={line.value}
      aria-disabled={locked}
      onKeyDown={onKeyDown}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={onPointerMove}
    >
      <span className={classes.name}>
        {name} {formatNumber(line.value, { maximumFractionDigits: 6 })}
      </span>
    </div>
  )
}
