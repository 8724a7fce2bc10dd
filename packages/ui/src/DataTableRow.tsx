import { memo, type MouseEvent, type ReactNode } from 'react'
import shared from './DataTable.module.css'
import classes from './DataTableRow.module.css'
import type { Column } from './table-layout.ts'
import { useWords } from './use-words.ts'

type RowProps<Row> = {
  row: Row
  rowKey: string
  index: number
  start: number
  columns: readonly Column<Row>[]
  selected: boolean
  checked: boolean | undefined
  focusable: boolean
  onFocus: (index: number) => void
  onOpen: ((row: Row) => void) | undefined
  onToggle: (index: number, range: boolean) => void
}

/** One row; plain elements and drawn anew only when something of its own changes, for the speed of scrolling. */
export const TableRow = memo(PlainRow) as typeof PlainRow // memo forgets the type parameter

function PlainRow<Row>(props: RowProps<Row>) {
  const { row, index, columns, checked, selected, onOpen, onToggle } = props
  const t = useWords()
  const open = (event: MouseEvent<HTMLElement>) => {
    const inner = (event.target as Element).closest('a, button, input, label, [role="menuitem"]')
    if (inner === null && event.currentTarget.contains(event.target as Node)) onOpen?.(row)
  }
  return (
    // The keys of the row are handled by the grid around it.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      role="row"
      data-row={index}
      aria-rowindex={index + 2}
      aria-selected={checked ?? (onOpen ? selected : undefined)}
      data-selected={selected || undefined}
      data-checked={checked || undefined}
      data-opens={onOpen ? true : undefined}
      className={classes.row}
      style={{ transform: `translateY(${props.start}px)` }}
      tabIndex={props.focusable ? 0 : -1}
      onFocus={() => props.onFocus(index)}
      onClick={open}
    >
      {checked !== undefined && (
        <div role="gridcell" className={shared.check}>
          <input
            type="checkbox"
            tabIndex={-1}
            checked={checked}
            aria-label={t('ui.selectRow')}
            onClick={(event) => onToggle(index, event.shiftKey)}
            onChange={() => undefined} // the click above knows about Shift
          />
        </div>
      )}
      {columns.map((column) => (
        <div key={column.id} role="gridcell" className={classes.cell} data-align={column.align}>
          {cut(column.cell(row))}
        </div>
      ))}
    </div>
  )
}

/** A bare text gets an element, so that one too long ends in three dots and not in half a letter. */
const cut = (content: ReactNode) =>
  typeof content === 'string' || typeof content === 'number' ? <span>{content}</span> : content
