import { valueText } from '@longreach/ui/ChartCaption'
import { type ChartSeries, factsOf } from '@longreach/ui/chart-data'
import { Sparkline } from '@longreach/ui/Sparkline'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff, IconX } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import { CardMenu } from './CardMenu.tsx'
import classes from './data-explore.module.css'
import { type Line, lineKey } from './explore-url.ts'
import { sparkOf } from './spark-points.ts'

type Props = {
  lines: readonly Line[]
  series: readonly ChartSeries[]
  before: readonly ChartSeries[]
  window: TimeWindow
  onLines: (lines: readonly Line[]) => void
}

/** A card for each line: colour, axis, form, whether it shows, its course and its figures in the window. */
export function SeriesCards({ lines, series, before, window, onLines }: Props) {
  const t = useWords()
  return (
    <ul className={classes.cards} aria-label={t('data-explore.lines')}>
      {lines.map((line) => {
        const one = series.find(({ id }) => id === lineKey(line))
        const others = lines.filter((other) => other !== line)
        return one ? (
          <Card
            key={one.id}
            line={line}
            series={one}
            earlier={before.find(({ id }) => id === `${one.id} earlier`)}
            window={window}
            onChange={(changed) =>
              onLines(lines.map((other) => (other === line ? changed : other)))
            }
            onRemove={() => onLines(others)}
          />
        ) : null
      })}
    </ul>
  )
}

type CardProps = {
  line: Line
  series: ChartSeries
  earlier: ChartSeries | undefined
  window: TimeWindow
  onChange: (line: Line) => void
  onRemove: () => void
}

function Card({ line, series, earlier, window, onChange, onRemove }: CardProps) {
  const t = useWords()
  const { name } = series
  const eye = line.hidden ? t('data-explore.show', { name }) : t('data-explore.hide', { name })
  const spark = sparkOf(series, window)
  return (
    <li className={classes.card} data-hidden={line.hidden || undefined}>
      <div className={classes.cardHead}>
        <CardMenu line={line} series={series} onChange={onChange} />
        <span className={classes.cardName} title={line.path}>
          {name}
          {series.unit && <small> {series.unit}</small>}
        </span>
        {!series.states && <Sparkline {...spark} width={64} height={20} color={series.color} />}
        <Tooltip label={eye}>
          <ActionIcon
            size={24}
            variant="subtle"
            color="gray"
            aria-label={eye}
            aria-pressed={!line.hidden}
            onClick={() => onChange({ ...line, hidden: !line.hidden })}
          >
            {line.hidden ? <IconEyeOff size={15} /> : <IconEye size={15} />}
          </ActionIcon>
        </Tooltip>
        <ActionIcon
          size={24}
          variant="subtle"
          color="gray"
          aria-label={t('data-explore.remove', { name })}
          onClick={onRemove}
        >
          <IconX size={15} />
        </ActionIcon>
      </div>
      <CardFigures series={series} earlier={earlier} window={window} />
    </li>
  )
}

function CardFigures({
  series,
  earlier,
  window,
}: Pick<CardProps, 'series' | 'earlier' | 'window'>) {
  const t = useWords()
  const { locale, formatNumber } = useIntl()
  const facts = factsOf(series, window)
  const past = earlier ? factsOf(earlier, window) : undefined
  const text = (value: number | undefined) =>
    value === undefined ? '—' : valueText(series, value, locale)
  const number = (value: number | undefined) => (series.states ? '—' : text(value))
  const share =
    facts && past && past.mean !== 0 ? (facts.mean - past.mean) / Math.abs(past.mean) : undefined
  return (
    <dl className={classes.figures}>
      <dt>{t('data-explore.min')}</dt>
      <dd>{number(facts?.min)}</dd>
      <dt>{t('data-explore.mean')}</dt>
      <dd>{number(facts?.mean)}</dd>
      <dt>{t('data-explore.max')}</dt>
      <dd>{number(facts?.max)}</dd>
      <dt>{t('data-explore.last')}</dt>
      <dd>
        <b>{text(facts?.last)}</b>
      </dd>
      {earlier && (
        <>
          <dt>{t('data-explore.earlierMean')}</dt>
          <dd className={classes.wide}>
            {number(past?.mean)}
            {share !== undefined &&
              ` (${formatNumber(share, { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' })})`}
          </dd>
        </>
      )}
    </dl>
  )
}
