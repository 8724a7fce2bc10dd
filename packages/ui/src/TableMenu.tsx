import { Button, Checkbox, Popover, SegmentedControl } from '@mantine/core'
import { IconColumns3 } from '@tabler/icons-react'
import classes from './TableMenu.module.css'
import { type Column, densities, type Layout } from './table-layout.ts'
import { isShown } from './use-row-model.ts'
import { useWords } from './use-words.ts'

type Named = Pick<Column<never>, 'id' | 'label' | 'hidden' | 'fixed'>

type TableMenuProps = {
  columns: readonly Named[]
  layout: Layout
  onChange: (layout: Layout) => void
}

/** Menu that sets the visible columns of a table and the height of its rows. */
export function TableMenu({ columns, layout, onChange }: TableMenuProps) {
  const t = useWords()
  const show = (id: string, on: boolean) =>
    onChange({ ...layout, shown: { ...layout.shown, [id]: on } })
  return (
    <Popover position="bottom-end" trapFocus>
      <Popover.Target>
        <Button variant="default" leftSection={<IconColumns3 size={15} stroke={1.6} />}>
          {t('ui.columns')}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={classes.menu}>
        {columns
          .filter(({ fixed, label }) => fixed !== true && label !== '')
          .map((column) => (
            <Checkbox
              key={column.id}
              label={column.label}
              checked={isShown(column, layout)}
              onChange={(event) => show(column.id, event.currentTarget.checked)}
            />
          ))}
        <SegmentedControl
          aria-label={t('ui.density')}
          value={layout.density}
          data={densities.map((value) => ({
            value,
            label: t(`ui.density.${value}`),
          }))}
          onChange={(density) => onChange({ ...layout, density })}
        />
      </Popover.Dropdown>
    </Popover>
  )
}
