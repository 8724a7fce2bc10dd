import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import shared from './DataTable.module.css'
import classes from './DataTableHeader.module.css'
import type { Column, Sort } from './table-layout.ts'
import { useWords } from './use-words.ts'

type HeaderRowProps<Row> = {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  sort: Sort | undefined
  setSort: (sort: Sort) => void
  onWidth: (id: string, width: number) => void
  checked?: ReadonlySet<string> | undefined
  onChecked?: ((ids: ReadonlySet<string>) => void) | undefined
}

/** Names of the columns; those that sort are buttons. */
export function HeaderRow<Row>(props: HeaderRowProps<Row>) {
  const { columns, rows, rowId, checked, onChecked } = props
  const t = useWords()
  const every =
    checked !== undefined && rows.length > 0 && rows.every((row) => checked.has(rowId(row)))
  return (
    <div role="rowgroup" className={classes.head}>
      <div role="row" aria-rowindex={1} className={classes.headRow}>
        {checked !== undefined && (
          <div role="columnheader" className={shared.check}>
            <input
              type="checkbox"
              checked={every}
              aria-label={t('ui.selectAll')}
              ref={(box) => {
                if (box) box.indeterminate = !every && checked.size > 0
              }}
              onChange={() => onChecked?.(new Set(every ? [] : rows.map(rowId)))}
            />
          </div>
        )}
        {columns.map((column) => (
          <HeaderCell
            key={column.id}
            column={column}
            sort={props.sort}
            setSort={props.setSort}
            onWidth={props.onWidth}
          />
        ))}
      </div>
    </div>
  )
}

/** By how much a column grows with Shift and an arrow key, in px. */
const steps: Record<string, number> = { ArrowLeft: -16, ArrowRight: 16 }

type HeaderCellProps<Row> = Pick<HeaderRowProps<Row>, 'sort' | 'setSort' | 'onWidth'> & {
  column: Column<Row>
}

function HeaderCell<Row>({ column, sort, setSort, onWidth }: HeaderCellProps<Row>) {
  const direction = sort?.id === column.id ? (sort.desc ? 'descending' : 'ascending') : undefined
  const Arrow = direction === 'descending' ? IconArrowDown : IconArrowUp
  return (
    <div
      role="columnheader"
      aria-label={column.label}
      className={classes.headCell}
      data-align={column.align}
      aria-sort={column.sortable ? (direction ?? 'none') : undefined}
    >
      {column.sortable ? (
        <button
          type="button"
          className={classes.sort}
          aria-keyshortcuts="Shift+ArrowLeft Shift+ArrowRight"
          onClick={() => setSort({ id: column.id, desc: direction === 'ascending' })}
          onKeyDown={(event) => {
            const by = event.shiftKey ? (steps[event.key] ?? 0) : 0
            const box = event.currentTarget.parentElement?.getBoundingClientRect()
            if (by === 0 || !box) return
            event.preventDefault()
            onWidth(column.id, box.width + by)
          }}
        >
          {column.label}
          <Arrow size={13} stroke={2} className={classes.arrow} data-on={direction && true} />
        </button>
      ) : (
        column.label
      )}
      {column.label !== '' && <WidthHandle column={column} onWidth={onWidth} />}
    </div>
  )
}

type HandleProps<Row> = { column: Column<Row>; onWidth: (id: string, width: number) => void }

/** The edge of a column, drawn wider or narrower by the pointer. */
function WidthHandle<Row>({ column: { id, label }, onWidth }: HandleProps<Row>) {
  const t = useWords()
  return (
    <span
      className={classes.handle}
      title={t('ui.columnWidth', { column: label })}
      onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)}
      onPointerMove={(event) => {
        const handle = event.currentTarget
        const box = handle.parentElement?.getBoundingClientRect()
        if (box && handle.hasPointerCapture(event.pointerId)) onWidth(id, event.clientX - box.left)
      }}
    />
  )
}
