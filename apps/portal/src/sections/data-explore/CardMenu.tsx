import type { ChartSeries } from '@longreach/ui/chart-data'
import { chartColors } from '@longreach/ui/series-colors'
import { useWords } from '@longreach/ui/use-words'
import { Menu } from '@mantine/core'
import {
  IconChartArea,
  IconChartBar,
  IconChartLine,
  IconCheck,
  IconStairs,
} from '@tabler/icons-react'
import classes from './CardMenu.module.css'
import { kinds, type LineLook } from './explore-look.ts'

type Props = { look: LineLook; series: ChartSeries; onChange: (look: LineLook) => void }

const kindWords = {
  line: 'data-explore.kindLine',
  area: 'data-explore.kindArea',
  bar: 'data-explore.kindBar',
  step: 'data-explore.kindStep',
} as const
const kindIcons = { line: IconChartLine, area: IconChartArea, bar: IconChartBar, step: IconStairs }
const axisWords = { left: 'data-explore.left', right: 'data-explore.right' } as const

/** Colour, form and axis of a line, behind its colour. */
export function CardMenu({ look, series, onChange }: Props) {
  const t = useWords()
  return (
    <Menu position="bottom-start" width={210} withInitialFocusPlaceholder={false}>
      <Menu.Target>
        <button
          type="button"
          className={classes.looks}
          aria-label={t('data-explore.looks', { name: series.name })}
        >
          <i className={classes.color} style={{ background: chartColors[look.color] }} />
        </button>
      </Menu.Target>
      <Menu.Dropdown>
        <div className={classes.colors}>
          {chartColors.map((color, index) => (
            <Menu.Item
              key={color}
              p={4}
              aria-label={t('data-explore.colorNumber', { number: index + 1 })}
              onClick={() => onChange({ ...look, color: index })}
            >
              <i className={classes.color} style={{ background: color }} />
            </Menu.Item>
          ))}
        </div>
        {!series.states && (
          <>
            <Menu.Divider />
            {kinds.map((kind) => {
              const Icon = kindIcons[kind]
              return (
                <Menu.Item
                  key={kind}
                  leftSection={<Icon size={16} stroke={1.6} />}
                  rightSection={look.kind === kind ? <IconCheck size={15} /> : null}
                  onClick={() => onChange({ ...look, kind })}
                >
                  {t(kindWords[kind])}
                </Menu.Item>
              )
            })}
          </>
        )}
        <Menu.Divider />
        {(['left', 'right'] as const).map((axis) => (
          <Menu.Item
            key={axis}
            rightSection={look.axis === axis ? <IconCheck size={15} /> : null}
            onClick={() => onChange({ ...look, axis })}
          >
            {t(axisWords[axis])}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
