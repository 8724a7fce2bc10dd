import { parseFormula } from '@longreach/formula/parse'
import { AppError } from '@longreach/kit/errors'
import { valueText } from '@longreach/ui/ChartCaption'
import { type ChartSeries, factsOf } from '@longreach/ui/chart-data'
import { formatTime } from '@longreach/ui/format'
import { Sparkline } from '@longreach/ui/Sparkline'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff, IconPencil, IconX } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useProblemText } from '../../parts/formulas/problem-text.ts'
import { CardMenu } from './CardMenu.tsx'
import shared from './data-explore.module.css'
import classes from './SeriesCards.module.css'
import { formulaKey, type FormulaLine } from './explore-formulas.ts'
import type { LineLook } from './explore-look.ts'
import { type Line, lineKey } from './explore-url.ts'
import { sparkOf } from './spark-points.ts'
import type { FormulaAnswer } from './use-formulas.ts'

type Props = {
  lines: readonly Line[]
  formulas: readonly FormulaAnswer[]
  series: readonly ChartSeries[]
  before: readonly ChartSeries[]
  window: TimeWindow
  zone: string
  onLines: (lines: readonly Line[]) => void
  onFormulas: (formulas: readonly FormulaLine[]) => void
  onEdit: (formula: FormulaLine) => void
}

/** A card for each line and formula: colour, axis, form, whether it shows, its course and its figures in the window. */
export function SeriesCards({ lines, formulas, series, before, ...more }: Props) {
  const t = useWords()
  const { window, zone, onLines, onFormulas, onEdit } = more
  const seriesOf = (id: string) => series.find((one) => one.id === id)
  const shown = (one: ChartSeries) => ({
    series: one,
    earlier: before.find(({ id }) => id === `${one.id} earlier`),
    window,
    zone,
  })
  const all = formulas.map(({ formula }) => formula)
  return (
    <ul className={classes.cards} aria-label={t('data-explore.lines')}>
      {lines.map((line) => {
        const one = seriesOf(lineKey(line))
        if (!one) return null
        return (
          <Card
            key={one.id}
            {...shown(one)}
            look={line}
            title={line.path}
            letter={line.letter}
            onChange={(look) =>
              onLines(lines.map((other) => (other === line ? { ...line, ...look } : other)))
            }
            onRemove={() => onLines(lines.filter((other) => other !== line))}
          />
        )
      })}
      {formulas.map((answer) => {
        const { formula } = answer
        const one = seriesOf(formulaKey(formula))
        if (!one) return null
        return (
          <Card
            key={one.id}
            {...shown(one)}
            look={formula}
            title={formula.text}
            below={<FormulaText answer={answer} />}
            onEdit={() => onEdit(formula)}
            onChange={(look) =>
              onFormulas(all.map((other) => (other === formula ? { ...formula, ...look } : other)))
            }
            onRemove={() => onFormulas(all.filter((other) => other !== formula))}
          />
        )
      })}
    </ul>
  )
}

/** Text of a formula, and the reason when it has no result. */
function FormulaText({ answer }: { answer: FormulaAnswer }) {
  const t = useWords()
  const errorText = useErrorText()
  const { formula, unknown, error } = answer
  const parsed = parseFormula(formula.text)
  const problemText = useProblemText()
  const [issue] = parsed.ok ? [] : parsed.issues
  const wrong = issue
    ? problemText({ ...issue, rule: `formula.${issue.code}` })
    : unknown.length > 0
      ? t('data-explore.noLineCalled', { letters: unknown.join(', ') })
      : isEmpty(error)
        ? t('data-explore.formulaNoValues')
        : error && errorText(error).message
  return (
    <>
      {formula.name !== '' && <code className={classes.formulaText}>{formula.text}</code>}
      {wrong && (
        <p className={classes.fault} role="alert">
          {wrong}
        </p>
      )}
    </>
  )
}

/** The formula reads well and its names are known, yet the server finds no values behind one. */
const isEmpty = (error: Error | null) =>
  error instanceof AppError && error.details['field'] === 'functions.formula.map'

type CardProps = {
  look: LineLook
  series: ChartSeries
  earlier: ChartSeries | undefined
  window: TimeWindow
  zone: string
  title: string
  letter?: string
  below?: ReactNode
  onEdit?: () => void
  onChange: (look: LineLook) => void
  onRemove: () => void
}

function Card({ look, series, earlier, window, zone, title, letter, below, ...more }: CardProps) {
  const t = useWords()
  const { onEdit, onChange, onRemove } = more
  const { name } = series
  const eye = look.hidden ? t('data-explore.show', { name }) : t('data-explore.hide', { name })
  const spark = sparkOf(series, window)
  const { axis, color, kind, hidden } = look
  return (
    <li className={classes.card} data-hidden={look.hidden || undefined}>
      <div className={classes.cardHead}>
        <CardMenu look={{ axis, color, kind, hidden }} series={series} onChange={onChange} />
        <span className={classes.cardName} title={title}>
          {letter !== undefined && (
            <span className={shared.letter} title={t('data-explore.letter', { letter })}>
              {letter}
            </span>
          )}
          {name}
          {series.unit && <small> {series.unit}</small>}
        </span>
        {!series.states && <Sparkline {...spark} width={64} height={20} color={series.color} />}
        {onEdit && (
          <CardAction label={t('data-explore.editFormula', { name })} onClick={onEdit}>
            <IconPencil size={15} />
          </CardAction>
        )}
        <CardAction
          label={eye}
          pressed={!look.hidden}
          onClick={() => onChange({ axis, color, kind, hidden: !hidden })}
        >
          {hidden ? <IconEyeOff size={15} /> : <IconEye size={15} />}
        </CardAction>
        <CardAction label={t('data-explore.remove', { name })} onClick={onRemove}>
          <IconX size={15} />
        </CardAction>
      </div>
      {below}
      <CardFigures series={series} earlier={earlier} window={window} />
      <HeldText series={series} window={window} zone={zone} />
    </li>
  )
}

type ActionProps = { label: string; pressed?: boolean; onClick: () => void; children: ReactNode }

function CardAction({ label, pressed, onClick, children }: ActionProps) {
  return (
    <Tooltip label={label}>
      <ActionIcon
        size={24}
        variant="subtle"
        color="gray"
        aria-label={label}
        aria-pressed={pressed}
        onClick={onClick}
      >
        {children}
      </ActionIcon>
    </Tooltip>
  )
}

/** Time of the value from before the window that still held in it, when the window has none of its own. */
function HeldText({ series, window, zone }: Pick<CardProps, 'series' | 'window' | 'zone'>) {
  const t = useWords()
  const { locale } = useIntl()
  const { held } = series
  if (!held || factsOf(series, window)) return null
  return (
    <p className={shared.dim}>
      {t('data-explore.valueOf', { time: formatTime(new Date(held.at), locale, zone) })}
    </p>
  )
}

function CardFigures({
  series,
  earlier,
  window,
}: Pick<CardProps, 'series' | 'earlier' | 'window'>) {
  const t = useWords()
  const { locale } = useIntl()
  const facts = factsOf(series, window)
  const past = earlier ? factsOf(earlier, window) : undefined
  const text = (value: number | undefined) =>
    value === undefined ? '—' : valueText(series, value, locale)
  const number = (value: number | undefined) => (series.states ? '—' : text(value))
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
        <b>{text(facts?.last ?? series.held?.value)}</b>
      </dd>
      {earlier && <EarlierMean mean={facts?.mean} past={past?.mean} text={number(past?.mean)} />}
    </dl>
  )
}

type EarlierProps = { mean: number | undefined; past: number | undefined; text: string }

/** The mean of the earlier time, and how far that of now lies from it. */
function EarlierMean({ mean, past, text }: EarlierProps) {
  const t = useWords()
  const { formatNumber } = useIntl()
  const known = mean !== undefined && past !== undefined && past !== 0
  const share = known ? (mean - past) / Math.abs(past) : undefined
  const style = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const
  return (
    <>
      <dt>{t('data-explore.earlierMean')}</dt>
      <dd className={classes.wide}>
        {text}
        {share !== undefined && ` (${formatNumber(share, style)})`}
      </dd>
    </>
  )
}
