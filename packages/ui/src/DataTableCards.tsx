import { type CSSProperties, Fragment, useEffect, useRef } from 'react'
import { useVirtualizer } from '@tanstack/react-virtual'
import shared from './DataTable.module.css'
import classes from './DataTableCards.module.css'
import type { Column } from './table-layout.ts'
import { useWords } from './use-words.ts'

type CardsProps<Row> = {
  label: string
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  selected?: string | undefined
  onOpen?: ((row: Row) => void) | undefined
  onMore?: (() => void) | undefined
  /** Given: each card can be ticked. */
  checked?: ReadonlySet<string> | undefined
  onChecked?: ((ids: ReadonlySet<string>) => void) | undefined
  /** So many beside each other. */
  lanes: number
}

/** Of a card with two lines, and of one with values. */
const heights = { plain: 62, values: 148 }

/** The rows of a table as two-line cards, for a phone. */
export function Cards<Row>({
  label,
  columns,
  rows,
  rowId,
  selected,
  onOpen,
  onMore,
  checked,
  onChecked,
  lanes,
}: CardsProps<Row>) {
  const scroller = useRef<HTMLDivElement>(null)
  const at = (place: Column<Row>['card']) => columns.filter(({ card }) => card === place)
  const values = at('value')
  const height = values.length > 0 ? heights.values : heights.plain
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => height,
    overscan: 6,
    lanes,
  })
  const items = virtual.getVirtualItems()
  const lastShown = items.at(-1)?.index ?? 0
  useEffect(() => {
    if (lastShown >= rows.length - 10) onMore?.()
  }, [lastShown, rows.length, onMore])
  useEffect(() => virtual.measure(), [virtual, height])
  return (
    <div ref={scroller} className={shared.scroller}>
      <ul className={shared.cards} aria-label={label} style={{ height: virtual.getTotalSize() }}>
        {items.map(({ index, start, lane }) => {
          const row = rows[index]
          if (row === undefined) return null
          return (
            <Card
              key={rowId(row)}
              row={row}
              at={at}
              selected={selected === rowId(row)}
              checked={checked?.has(rowId(row))}
              onToggle={() => checked && onChecked?.(toggled(checked, rowId(row)))}
              onOpen={onOpen}
              size={rows.length}
              position={index + 1}
              style={{
                height: values.length > 0 ? height - 10 : height,
                transform: `translateY(${start}px)`,
                ...laneStyle(lane, lanes),
              }}
            />
          )
        })}
      </ul>
    </div>
  )
}

type CardProps<Row> = {
  row: Row
  at: (place: Column<Row>['card']) => Column<Row>[]
  selected: boolean
  checked: boolean | undefined
  onToggle: () => void
  onOpen: ((row: Row) => void) | undefined
  size: number
  position: number
  style: CSSProperties
}

function Card<Row>({ row, at, selected, checked, onToggle, onOpen, ...place }: CardProps<Row>) {
  const values = at('value')
  return (
    <li
      className={classes.card}
      data-selected={selected || undefined}
      data-ticks={checked !== undefined || undefined}
      data-checked={checked || undefined}
      data-values={values.length > 0 || undefined}
      style={place.style}
      aria-setsize={place.size}
      aria-posinset={place.position}
    >
      {checked !== undefined && <Tick on={checked} onToggle={onToggle} />}
      <div className={classes.cardTop}>
        <span className={classes.cardTitle}>
          {at('title').map((column) => (
            <Fragment key={column.id}>{column.cell(row)}</Fragment>
          ))}
        </span>
        {at('state').map((column) => (
          <span key={column.id}>{column.cell(row)}</span>
        ))}
      </div>
      <div className={classes.cardDetails}>
        {at('detail').map((column) => (
          <span key={column.id}>{column.cell(row)}</span>
        ))}
      </div>
      {values.map((column) => (
        <div key={column.id} className={classes.cardValues}>
          {column.cell(row)}
        </div>
      ))}
      {onOpen && (
        <button
          type="button"
          className={classes.cardOpen}
          aria-label={titleOf(at('title'), row)}
          onClick={() => onOpen(row)}
        />
      )}
    </li>
  )
}

function Tick({ on, onToggle }: { on: boolean; onToggle: () => void }) {
  const t = useWords()
  return (
    <label className={shared.cardTick}>
      <input type="checkbox" checked={on} aria-label={t('ui.selectRow')} onChange={onToggle} />
    </label>
  )
}

function toggled(ids: ReadonlySet<string>, id: string) {
  const next = new Set(ids)
  if (!next.delete(id)) next.add(id)
  return next
}

const laneStyle = (lane: number, lanes: number) =>
  lanes === 1
    ? {}
    : {
        left: `calc(${(100 * lane) / lanes}% + 5px)`,
        right: `calc(${100 - (100 * (lane + 1)) / lanes}% + 5px)`,
      }

const titleOf = <Row,>(columns: Column<Row>[], row: Row) =>
  columns.map(({ value }) => String(value?.(row) ?? '')).join(' ')
