import type { ChartSeries } from '@longreach/ui/chart-data'
import { alignedNumber, seriesDigits } from '@longreach/ui/number-format'
import { useToast } from '@longreach/ui/Toasts'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords, type Translate } from '@longreach/ui/use-words'
import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconFileTypeCsv } from '@tabler/icons-react'
import { useVirtualizer } from '@tanstack/react-virtual'
import { type ReactNode, useMemo, useRef, useState } from 'react'
import { useIntl } from 'react-intl'
import { saveFile } from '../../parts/tables/save-file.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { AlignedNumber } from './AlignedNumber.tsx'
import shared from './data-explore.module.css'
import classes from './ExploreTable.module.css'
import { rowsCsv, rowsText } from './explore-csv.ts'
import { longRows, type Sort, sortedLong, sortedWide, wideRows } from './explore-rows.ts'

type Props = { series: readonly ChartSeries[]; window: TimeWindow; zone: string }

/** The points as a table, wide or long, in any order, to copy or to keep as CSV. */
export function ExploreTable({ series, window, zone }: Props) {
  const t = useWords()
  const toast = useToast()
  const [search, change] = useSearch()
  const isLong = one(search['rows']) === 'long'
  const [sort, setSort] = useState<Sort>({ by: 'time', down: true })
  const shown = useMemo(() => series.filter(({ hidden }) => !hidden), [series])
  const wide = useMemo(() => wideRows(shown, window), [shown, window])
  const table = useTable({ shown, isLong, zone, t })
  const rows = useMemo(
    () =>
      isLong
        ? sortedLong(longRows(wide), sort).map(({ at, line, value }) => [at, line, value])
        : sortedWide(wide, sort).map(({ at, values }) => [at, ...values]),
    [isLong, wide, sort],
  )
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(rowsText(table.heads, rows, table.plain))
      toast({ message: t('data-explore.copied', { count: rows.length }) })
    } catch {
      toast({ kind: 'failed', message: t('ui.copyRefused') }) // no permission for the clipboard
    }
  }
  const name = `values-${new Date(window.from).toISOString().slice(0, 10)}.csv`
  return (
    <>
      <TableBar
        isLong={isLong}
        count={rows.length}
        zone={zone}
        onRows={(value) => {
          setSort({ by: 'time', down: true })
          void change({ rows: value === 'long' ? 'long' : undefined })
        }}
        onCopy={() => void copy()}
        onCsv={() => saveFile(name, [rowsCsv(table.heads, rows, table.plain)])}
      />
      <Rows
        rows={rows}
        head={table.columns.map(({ by, head, width }) => (
          <SortHead key={head} {...{ head, by, width, sort }} onSort={setSort} />
        ))}
        readable={table.readable}
      />
    </>
  )
}

type RowsProps = {
  rows: readonly (readonly Cell[])[]
  head: ReactNode
  readable: (cell: Cell, column: number, row: readonly Cell[]) => ReactNode
}
const rowHeight = 32

/** Only the rows in sight are there, so that ten thousand scroll as smoothly as ten. */
function Rows({ rows, head, readable }: RowsProps) {
  const t = useWords()
  const scroller = useRef<HTMLElement>(null)
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => rowHeight,
    overscan: 12,
  })
  const items = virtual.getVirtualItems()
  const [above, below] = [items[0]?.start ?? 0, virtual.getTotalSize() - (items.at(-1)?.end ?? 0)]
  return (
    <section
      ref={scroller}
      className={shared.scroll}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
      tabIndex={0}
      aria-label={t('data-explore.table')}
    >
      <table className={shared.statistics} data-rows aria-rowcount={rows.length + 1}>
        <thead>
          <tr>{head}</tr>
        </thead>
        <tbody>
          <tr aria-hidden style={{ height: above }} />
          {items.map(({ index }) => {
            const row = rows[index] ?? []
            return (
              <tr key={index} aria-rowindex={index + 2}>
                {row.map((one, column) => (
                  // oxlint-disable-next-line react/no-array-index-key -- a cell is its column
                  <td key={column}>{readable(one, column, row)}</td>
                ))}
              </tr>
            )
          })}
          <tr aria-hidden style={{ height: below }} />
        </tbody>
      </table>
      {rows.length === 0 && <p className={classes.noRows}>{t('charts.empty')}</p>}
    </section>
  )
}

type BarProps = {
  isLong: boolean
  count: number
  zone: string
  onRows: (value: string) => void
  onCopy: () => void
  onCsv: () => void
}

function TableBar({ isLong, count, zone, onRows, onCopy, onCsv }: BarProps) {
  const t = useWords()
  return (
    <div className={classes.tableBar}>
      <SegmentedControl
        size="xs"
        aria-label={t('data-explore.rows')}
        value={isLong ? 'long' : 'wide'}
        data={[
          { value: 'wide', label: t('data-explore.wide') },
          { value: 'long', label: t('data-explore.long') },
        ]}
        onChange={onRows}
      />
      <span className={shared.dim}>{t('data-explore.rowCount', { count })}</span>
      <span className={classes.barEnd}>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconCopy size={15} />}
          onClick={onCopy}
        >
          {t('data-explore.copy')}
        </Button>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconFileTypeCsv size={15} />}
          onClick={onCsv}
        >
          {t('data-explore.csv', { zone })}
        </Button>
      </span>
    </div>
  )
}

type Cell = number | null | undefined
type Made = {
  shown: readonly ChartSeries[]
  isLong: boolean
  zone: string
  t: Translate
}

/** Heads and cells, for reading and plain for other programs. */
function useTable({ shown, isLong, zone, t }: Made) {
  const intl = useIntl()
  const nameOf = ({ name, unit }: ChartSeries) => (unit ? `${name} (${unit})` : name)
  const time = t('charts.time', { zone })
  const digits = useMemo(() => shown.map(({ values }) => seriesDigits(values)), [shown])
  const widths = useMemo(
    () => shown.map((one, index) => widthOf(one, digits[index] ?? 0, intl.locale)),
    [shown, digits, intl.locale],
  )
  const columns: { by: Sort['by']; head: string; width: number }[] = isLong
    ? [
        { by: 'time', head: time, width: timeWidth },
        { by: 'line', head: t('data-explore.line'), width: 20 },
        { by: 'value', head: t('data-explore.value'), width: Math.max(0, ...widths) },
      ]
    : [
        { by: 'time', head: time, width: timeWidth },
        ...shown.map((series, by) => ({ by, head: nameOf(series), width: widths[by] ?? 0 })),
      ]
  const placeOf = (column: number, row: readonly Cell[]) => (isLong ? (row[1] ?? 0) : column - 1)
  const seriesOf = (column: number, row: readonly Cell[]) => shown[placeOf(column, row)]
  const most = isLong ? Math.max(0, ...digits) : undefined
  const readable = (cell: Cell, column: number, row: readonly Cell[]) => {
    if (cell === null || cell === undefined) return '—'
    if (column === 0)
      return intl.formatDate(cell, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
    const series = seriesOf(column, row)
    if (isLong && column === 1) return series ? nameOf(series) : ''
    if (series?.states) return series.states[cell] ?? String(cell)
    const own = digits[placeOf(column, row)] ?? 0
    return <AlignedNumber value={cell} digits={own} {...(most !== undefined && { most })} />
  }
  const plain = {
    zone,
    text: (cell: number, column: number, row: readonly Cell[]) => {
      const series = seriesOf(column, row)
      if (isLong && column === 1) return series ? nameOf(series) : ''
      return series?.states?.[cell] ?? cell
    },
  }
  return { columns, heads: columns.map(({ head }) => head), readable, plain }
}

const timeWidth = 20

/** Characters that a column needs at most, so that it keeps its width while other rows come into sight. */
function widthOf({ values, states }: ChartSeries, digits: number, locale: string) {
  if (states) return Math.max(0, ...states.map(({ length }) => length))
  let [low, high] = [0, 0]
  for (let index = 0; index < values.length; index++) {
    const value = values[index] ?? 0
    if (value < low) low = value
    else if (value > high) high = value
  }
  return Math.max(...[low, high].map((value) => alignedNumber(value, locale, digits).length))
}

type HeadProps = {
  width: number
  head: string
  by: Sort['by']
  sort: Sort
  onSort: (sort: Sort) => void
}

function SortHead({ head, by, width, sort, onSort }: HeadProps) {
  const sorted = sort.by === by
  const Icon = sort.down ? IconArrowDown : IconArrowUp
  const order = sort.down ? 'descending' : 'ascending'
  return (
    <th
      scope="col"
      aria-sort={sorted ? order : 'none'}
      style={{ minWidth: `calc(${width}ch + 20px)` }}
    >
      <button
        type="button"
        className={classes.sort}
        onClick={() => onSort({ by, down: sorted ? !sort.down : true })}
      >
        {head}
        {sorted && <Icon size={13} />}
      </button>
    </th>
  )
}
