import type { ChartSeries } from '@longreach/ui/chart-data'
import { readableNumber } from '@longreach/ui/number-format'
import { useToast } from '@longreach/ui/Toasts'
import type { TimeWindow } from '@longreach/ui/time-range'
import { useWords } from '@longreach/ui/use-words'
import { Button, SegmentedControl } from '@mantine/core'
import { IconArrowDown, IconArrowUp, IconCopy, IconFileTypeCsv } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useIntl } from 'react-intl'
import { saveFile } from '../../lib/csv.ts'
import { one, useSearch } from '../../lib/use-search.ts'
import classes from './data-explore.module.css'
import { rowsCsv, rowsText } from './explore-csv.ts'
import { longRows, type Sort, sortedLong, sortedWide, wideRows } from './explore-rows.ts'

type Props = { series: readonly ChartSeries[]; window: TimeWindow; zone: string }
const step = 200

/** The points as a table, wide or long, in any order, to copy or to keep as CSV. */
export function ExploreTable({ series, window, zone }: Props) {
  const t = useWords()
  const toast = useToast()
  const [search, change] = useSearch()
  const isLong = one(search['rows']) === 'long'
  const [sort, setSort] = useState<Sort>({ by: 'time', down: true })
  const [most, setMost] = useState(step)
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
    await navigator.clipboard.writeText(rowsText(table.heads, rows, table.plain))
    toast({ message: t('data-explore.copied', { count: rows.length }) })
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
      <section
        className={classes.scroll}
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a scrolling box must be reachable by keyboard
        tabIndex={0}
        aria-label={t('data-explore.table')}
      >
        <table className={classes.statistics}>
          <thead>
            <tr>
              {table.columns.map(({ by, head }) => (
                <SortHead key={head} head={head} by={by} sort={sort} onSort={setSort} />
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.slice(0, most).map((row) => (
              <tr key={row.slice(0, isLong ? 2 : 1).join(' ')}>
                {row.map((cell, column) => (
                  <td key={table.columns[column]?.head}>{table.readable(cell, column, row)}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {rows.length > most && (
          <Button variant="subtle" onClick={() => setMost(most + 5 * step)}>
            {t('data-explore.moreRows', { count: rows.length - most })}
          </Button>
        )}
      </section>
    </>
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
      <span className={classes.dim}>{t('data-explore.rowCount', { count })}</span>
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
  t: ReturnType<typeof useWords>
}

/** Heads and cells, for reading and plain for other programs. */
function useTable({ shown, isLong, zone, t }: Made) {
  const intl = useIntl()
  const nameOf = ({ name, unit }: ChartSeries) => (unit ? `${name} (${unit})` : name)
  const time = t('charts.time', { zone })
  const columns: { by: Sort['by']; head: string }[] = isLong
    ? [
        { by: 'time', head: time },
        { by: 'line', head: t('data-explore.line') },
        { by: 'value', head: t('data-explore.value') },
      ]
    : [{ by: 'time', head: time }, ...shown.map((series, by) => ({ by, head: nameOf(series) }))]
  const seriesOf = (column: number, row: readonly Cell[]) =>
    shown[isLong ? (row[1] ?? 0) : column - 1]
  const readable = (cell: Cell, column: number, row: readonly Cell[]) => {
    if (cell === null || cell === undefined) return '—'
    if (column === 0)
      return intl.formatDate(cell, { dateStyle: 'short', timeStyle: 'medium', timeZone: zone })
    const series = seriesOf(column, row)
    if (isLong && column === 1) return series ? nameOf(series) : ''
    return series?.states?.[cell] ?? readableNumber(cell, intl.locale)
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

type HeadProps = {
  head: string
  by: Sort['by']
  sort: Sort
  onSort: (sort: Sort) => void
}

function SortHead({ head, by, sort, onSort }: HeadProps) {
  const sorted = sort.by === by
  const Icon = sort.down ? IconArrowDown : IconArrowUp
  const order = sort.down ? 'descending' : 'ascending'
  return (
    <th scope="col" aria-sort={sorted ? order : 'none'}>
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
