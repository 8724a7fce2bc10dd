import { late } from './late.tsx'
import type { RowData } from '@tanstack/react-table'
import { useVirtualizer } from '@tanstack/react-virtual'
import {
  type CSSProperties,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
} from 'react'
import { Cards } from './DataTableCards.tsx'
import shared from './DataTable.module.css'
import classes from './DataTable.module.css'
import { HeaderRow } from './DataTableHeader.tsx'
import { TableRow } from './DataTableRow.tsx'
import { useGridKeys } from './use-grid-keys.ts'
import {
  asDrawn,
  type Column,
  drawnWidth,
  rowHeights,
  type Sort,
  useLayout,
} from './table-layout.ts'
import { useNarrow } from './use-narrow.ts'
import { useRowModel } from './use-row-model.ts'
import { useWords } from './use-words.ts'

export type { RowData } from '@tanstack/react-table'
export type { Column, Sort } from './table-layout.ts'

const LateMenu = late(
  () => import('./TableMenu.tsx'),
  'TableMenu',
  <span className={classes.menuPlace} />,
)

export type DataTableProps<Row> = {
  /** Under this name the person's columns are remembered. */
  name: string
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  /** Number of all rows, when known. */
  total?: number | undefined
  sort?: Sort | undefined
  /** Given: the server sorts. Absent: the rows are sorted here, by each column's `value`. */
  onSort?: ((sort: Sort) => void) | undefined
  /** The row whose details are open. */
  selected?: string | undefined
  onOpen?: ((row: Row) => void) | undefined
  checked?: ReadonlySet<string> | undefined
  onChecked?: ((ids: ReadonlySet<string>) => void) | undefined
  /** The toolbar itself says how many are ticked. */
  countsItself?: boolean
  /** Rows as cards also where there is room for a table. */
  view?: 'table' | 'cards'
  /** There are more rows on the server; called when the reader comes near the end. */
  onMore?: (() => void) | undefined
  /** Fresh rows are on the way; the old ones stay. */
  fetching?: boolean
  /** Filters, at the left above the table. */
  toolbar?: ReactNode
  /** Under the table: how many, how old, which time zone. */
  footer?: ReactNode
  /** Shown instead of rows when there are none. */
  empty: ReactNode
}

/**
 * The table of every list: thousands of rows on a grid of our own, sorted here or by the server,
 * wholly by keyboard, as cards on a phone.
 */
export function DataTable<Row extends RowData>(props: DataTableProps<Row>) {
  const narrow = useNarrow()
  const [layout, setLayout] = useLayout(props.name)
  const { rows, visible: plain, sort, setSort } = useRowModel(props, layout)
  const visible = useMemo(
    () => plain.map((column) => asDrawn(column, layout.widths)),
    [plain, layout.widths],
  )
  const asCards = narrow || props.view === 'cards'
  const onWidth = (id: string, width: number) =>
    setLayout({ ...layout, widths: { ...layout.widths, [id]: drawnWidth(width) } })
  return (
    <section className={shared.table} aria-label={props.label}>
      <div className={classes.toolbar}>
        <div className={classes.filters}>{props.toolbar}</div>
        {props.checked !== undefined && props.checked.size > 0 && !props.countsItself && (
          <CheckedCount count={props.checked.size} />
        )}
        {!asCards && (
          <Suspense fallback={<span className={classes.menuPlace} />}>
            <LateMenu columns={props.columns} layout={layout} onChange={setLayout} />
          </Suspense>
        )}
      </div>
      <div className={classes.progress} data-on={props.fetching || undefined} />
      {rows.length === 0 ? (
        <div className={classes.empty}>{props.empty}</div>
      ) : asCards ? (
        <Cards
          {...props}
          columns={cardColumns(props, visible)}
          rows={rows}
          lanes={narrow ? 1 : 3}
        />
      ) : (
        <Grid
          {...props}
          {...{ rows, visible, sort, setSort, onWidth }}
          height={rowHeights[layout.density]}
        />
      )}
      {Boolean(props.footer) && <footer className={classes.footer}>{props.footer}</footer>}
    </section>
  )
}

/** Cards that were chosen have values, too; those of a phone's list are its rows. */
const cardColumns = <Row,>(
  { columns, view }: Pick<DataTableProps<Row>, 'columns' | 'view'>,
  visible: readonly Column<Row>[],
) => [
  ...visible.filter(({ card }) => card !== 'value'),
  ...(view === 'cards' ? columns.filter(({ card }) => card === 'value') : []),
]

function CheckedCount({ count }: { count: number }) {
  const t = useWords()
  return (
    <span className={classes.checkedCount} role="status">
      {t('ui.selected', { count })}
    </span>
  )
}

type GridProps<Row> = Omit<DataTableProps<Row>, 'columns' | 'sort'> & {
  visible: readonly Column<Row>[]
  sort: Sort | undefined
  setSort: (sort: Sort) => void
  onWidth: (id: string, width: number) => void
  height: number
}

function Grid<Row>(props: GridProps<Row>) {
  const { rows, rowId, visible, height, selected, onOpen, checked, onChecked, onMore } = props
  const scroller = useRef<HTMLDivElement>(null)
  const id = useId()
  // The scroll bar stands for all rows; those that are not here yet come when they are in sight.
  const count = Math.max(rows.length, (onMore && props.total) || 0)
  const virtual = useVirtualizer({
    count,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 8,
  })
  useEffect(() => virtual.measure(), [virtual, height])
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - 10) onMore?.()
  }, [lastShown, rows.length, onMore])

  const { active, onFocus, onKeyDown, toggle } = useGridKeys({
    rows,
    count,
    rowId,
    selected,
    onOpen,
    checked,
    onChecked,
    scrollTo: (index) => virtual.scrollToIndex(index),
    focus: (index) => focusRow(scroller.current, index),
    perPage: Math.max(1, Math.floor((scroller.current?.clientHeight ?? 400) / height) - 1),
  })
  const template = `${checked ? '38px ' : ''}${visible.map(trackOf).join(' ')}`
  const least = visible.reduce((sum, column) => sum + column.width, checked ? 38 : 0)
  return (
    <div ref={scroller} className={shared.scroller}>
      <div
        role="grid"
        tabIndex={-1}
        id={id}
        aria-label={props.label}
        aria-rowcount={(props.total ?? rows.length) + 1}
        aria-colcount={visible.length + (checked ? 1 : 0)}
        aria-multiselectable={checked ? true : undefined}
        className={shared.grid}
        style={sizes(template, height, least)}
        onKeyDown={onKeyDown}
      >
        <HeaderRow {...props} columns={visible} rows={rows} />
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize() }}>
          {items.map(({ index, start }) => {
            const row = rows[index]
            if (row === undefined) return <ToCome key={`to come ${index}`} start={start} />
            const key = rowId(row)
            return (
              <TableRow
                key={key}
                row={row}
                index={index}
                start={start}
                columns={visible}
                rowKey={key}
                selected={selected === key}
                checked={checked?.has(key)}
                focusable={index === Math.min(active, rows.length - 1)}
                onFocus={onFocus}
                onOpen={onOpen}
                onToggle={toggle}
              />
            )
          })}
        </div>
      </div>
    </div>
  )
}

/** The place of a row that is on its way. */
const ToCome = ({ start }: { start: number }) => (
  <div className={classes.toCome} style={{ transform: `translateY(${start}px)` }} aria-hidden />
)

/** A row far away is drawn a few frames after the scroll to it. */
function focusRow(scroller: HTMLElement | null, index: number, frames = 10) {
  const row = scroller?.querySelector<HTMLElement>(`[data-row="${index}"]`)
  if (row) row.focus()
  else if (frames > 0) requestAnimationFrame(() => focusRow(scroller, index, frames - 1))
}

const sizes = (template: string, height: number, least: number) =>
  ({ '--columns': template, '--row': `${height}px`, minWidth: least }) as CSSProperties // with variables of our own

const trackOf = <Row,>({ width, grow }: Column<Row>) =>
  grow === undefined ? `${width}px` : `minmax(${width}px, ${grow}fr)`
