import { DataTable, type DataTableProps, type RowData } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import type { ComponentProps, ReactElement } from 'react'
import { useErrorText } from '../words/error-text.ts'

/** State of the query that brings the rows, in one answer or page by page. */
type Listed = {
  isPending: boolean
  isFetching: boolean
  error: unknown
  refetch: () => unknown
  hasNextPage?: boolean
  isFetchingNextPage?: boolean
  fetchNextPage?: () => unknown
}

type Empty = ComponentProps<typeof EmptyState>

export type ListTableProps<Row> = Omit<DataTableProps<Row>, 'empty' | 'fetching' | 'onMore'> & {
  list: Listed
  /** Said when nothing exists yet, with the thing to do about it. */
  none: Omit<Empty, 'kind'> & Partial<Pick<Empty, 'kind'>>
  /** Given while a filter is on: said when it finds nothing. */
  filtered?: ComponentProps<typeof NothingFound> | undefined
}

/** Table of a query: rows in outline while they load, the failure with a way to try again, or why there are none. */
export function ListTable<Row extends RowData>({
  list,
  none,
  filtered,
  ...table
}: ListTableProps<Row>) {
  const more = () => {
    if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage?.()
  }
  return (
    <DataTable
      {...table}
      fetching={list.isFetching && !list.isPending}
      onMore={list.fetchNextPage && more}
      empty={<Rowless {...{ list, none, filtered }} />}
    />
  )
}

type RowlessProps = Pick<ListTableProps<never>, 'list' | 'none' | 'filtered'>

function Rowless({ list, none, filtered }: RowlessProps): ReactElement {
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton />
  if (list.error)
    return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
  return filtered ? <NothingFound {...filtered} /> : <EmptyState kind="nothing" {...none} />
}
