import { type ChartSeries, factsOf } from '@longreach/ui/chart-data'
import { valueText } from '@longreach/ui/ChartCaption'
import { chartColors } from '@longreach/ui/TimeChart'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu, SegmentedControl, Tooltip } from '@mantine/core'
import { IconEye, IconEyeOff, IconX } from '@tabler/icons-react'
import { useIntl } from 'react-intl'
import classes from './data-explore.module.css'
import { type Line, lineKey } from './explore-url.ts'

type Props = {
  lines: readonly Line[]
  series: readonly ChartSeries[]
  window: TimeWindow
  onLines: (lines: readonly Line[]) => void
}

/** A card for each line: colour, axis, whether it shows, and its figures in the window. */
export function SeriesCards({ lines, series, window, onLines }: Props) {
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
  window: TimeWindow
  onChange: (line: Line) => void
  onRemove: () => void
}

function Card({ line, series, window, onChange, onRemove }: CardProps) {
  const t = useWords()
  const { locale } = useIntl()
  const facts = factsOf(series, window)
  const text = (value: number | undefined) =>
    value === undefined ? '—' : valueText(series, value, locale)
  const eye = line.hidden
    ? t('data-explore.show', { name: series.name })
    : t('data-explore.hide', { name: series.name })
  return (
    <li className={classes.card} data-hidden={line.hidden || undefined}>
      <div className={classes.cardHead}>
        <ColorMenu line={line} name={series.name} onChange={onChange} />
        <span className={classes.cardName} title={line.path}>
          {series.name}
        </span>
        <Tooltip label={eye}>
          <ActionIcon
            size={24}
            aria-label={eye}
            onClick={() => onChange({ ...line, hidden: !line.hidden })}
          >
            {line.hidden ? <IconEyeOff size={15} /> : <IconEye size={15} />}
          </ActionIcon>
        </Tooltip>
        <ActionIcon
          size={24}
          aria-label={t('data-explore.remove', { name: series.name })}
          onClick={onRemove}
        >
          <IconX size={15} />
        </ActionIcon>
      </div>
      <dl className={classes.figures}>
        <dt>{t('data-explore.min')}</dt>
        <dd>{text(facts?.min)}</dd>
        <dt>{t('data-explore.mean')}</dt>
        <dd>{series.states ? '—' : text(facts?.mean)}</dd>
        <dt>{t('data-explore.max')}</dt>
        <dd>{text(facts?.max)}</dd>
        <dt>{t('data-explore.last')}</dt>
        <dd>
          <b>{text(facts?.last)}</b>
        </dd>
      </dl>
      <SegmentedControl
        size="xs"
        fullWidth
        aria-label={t('data-explore.axis')}
        value={line.axis}
        data={[
          { value: 'left', label: t('data-explore.left') },
          { value: 'right', label: t('data-explore.right') },
        ]}
        onChange={(axis) => onChange({ ...line, axis: axis === 'right' ? 'right' : 'left' })}
      />
    </li>
  )
}

type ColorProps = { line: Line; name: string; onChange: (line: Line) => void }

function ColorMenu({ line, name, onChange }: ColorProps) {
  const t = useWords()
  return (
    <Menu position="bottom-start">
      <Menu.Target>
        <button
          type="button"
          className={classes.color}
          style={{ background: chartColors[line.color] }}
          aria-label={t('data-explore.color', { name })}
        />
      </Menu.Target>
      <Menu.Dropdown className={classes.colors}>
        {chartColors.map((color, index) => (
          <Menu.Item
            key={color}
            p={4}
            aria-label={t('data-explore.colorNumber', { number: index + 1 })}
            onClick={() => onChange({ ...line, color: index })}
          >
            <i className={classes.color} style={{ background: color }} />
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
