import {
  columnVisibilityFeature,
  createSortedRowModel,
  rowSortingFeature,
  type RowData,
  tableFeatures,
  useTable,
} from '@tanstack/react-table'
import { useMemo, useState } from 'react'
import type { Column, Layout, Sort } from './table-layout.ts'

const features = tableFeatures({
  columnVisibilityFeature,
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
})

type Question<Row> = {
  columns: readonly Column<Row>[]
  rows: readonly Row[]
  rowId: (row: Row) => string
  sort?: Sort | undefined
  onSort?: ((sort: Sort) => void) | undefined
}

/** Rows in their order and visible columns of a table. */
export function useRowModel<Row extends RowData>(
  { columns, rows, rowId, sort, onSort }: Question<Row>,
  layout: Layout,
) {
  const [own, setOwn] = useState<Sort>()
  const current = onSort ? sort : (own ?? sort)
  const definitions = useMemo(
    () =>
      columns.map(({ id, label, value, sortable }) => ({
        id,
        header: label,
        enableSorting: sortable === true,
        accessorFn: (row: Row) => value?.(row),
        sortFn: (
          a: { getValue: (id: string) => unknown },
          b: { getValue: (id: string) => unknown },
          column: string,
        ) => compare(a.getValue(column), b.getValue(column)),
      })),
    [columns],
  )
  const table = useTable({
    features,
    columns: definitions,
    data: rows, // the table does not change them
    getRowId: rowId,
    manualSorting: onSort !== undefined,
    state: {
      sorting: current ? [current] : [],
      columnVisibility: Object.fromEntries(columns.map((one) => [one.id, isShown(one, layout)])),
    },
  })
  const shown = new Set(table.getVisibleLeafColumns().map(({ id }) => id))
  const key = [...shown].join(' ')
  const visible = useMemo(
    () => columns.filter(({ id }) => key.split(' ').includes(id)),
    [columns, key],
  )
  return {
    rows: table.getRowModel().rows.map(({ original }) => original),
    visible,
    sort: current,
    setSort: onSort ?? setOwn,
  }
}

/** True when a column is visible: as the person chose, else by its default. */
export const isShown = (
  { id, hidden, fixed }: Pick<Column<never>, 'id' | 'hidden' | 'fixed'>,
  { shown }: Layout,
) => fixed === true || (shown[id] ?? hidden !== true)

const collator = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' })

/** Numbers by size, texts as people sort them, what is missing last. */
function compare(a: unknown, b: unknown) {
  if (a === undefined || b === undefined) return a === b ? 0 : a === undefined ? 1 : -1
  if (typeof a === 'number' && typeof b === 'number') return a - b
  return collator.compare(String(a), String(b))
}
