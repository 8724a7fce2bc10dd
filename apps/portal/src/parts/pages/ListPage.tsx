import type { RowData } from '@longreach/ui/DataTable'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import type { ComponentProps, ReactNode } from 'react'
import { useIntl } from 'react-intl'
import { ListTable, type ListTableProps } from './ListTable.tsx'

type HeaderProps = Omit<ComponentProps<typeof PageHeader>, 'count'>

type Props<Row> = HeaderProps &
  Omit<ListTableProps<Row>, 'label'> & {
    /** Name of the table, where it is not the title. */
    label?: string
    /** Number of things, as a number or written; absent while unknown. */
    count?: number | string | undefined
    /** Between the header and the table: tabs, figures, notes. */
    above?: ReactNode
    /** Left of the table. */
    before?: ReactNode
    /** The open thing, beside the table. */
    panel?: ReactNode
    /** Dialogs. */
    children?: ReactNode
  }

/** Page of a list: header with count and actions, filters, the table with its states, and the open thing beside it. */
export function ListPage<Row extends RowData>(props: Props<Row>) {
  const { title, count, help, trail, beside, actions, above, before, panel, children, ...table } =
    props
  const intl = useIntl()
  return (
    <Page>
      <PageHeader
        {...{ title, trail, help, beside, actions }}
        count={typeof count === 'number' ? intl.formatNumber(count) : count}
      />
      {above}
      <Split>
        {before}
        <ListTable label={title} {...table} />
        {panel}
      </Split>
      {children}
    </Page>
  )
}
