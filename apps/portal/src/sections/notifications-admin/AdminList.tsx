import { ActionButton } from '@longreach/ui/ActionButton'
import type { Column, RowData } from '@longreach/ui/DataTable'
import { useWords } from '@longreach/ui/use-words'
import { IconPlus } from '@tabler/icons-react'
import type { ComponentProps } from 'react'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { useMayNot } from './admin-calls.ts'
import { AdminTabs, type TabName } from './AdminTabs.tsx'

type Props<Row extends RowData> = Omit<
  ComponentProps<typeof ListPage<Row>>,
  'title' | 'help' | 'label' | 'above'
> & { tab: TabName }

/** List of one of the tabs of the section. */
export function AdminList<Row extends RowData>({ tab, ...list }: Props<Row>) {
  const t = useWords()
  return (
    <ListPage<Row>
      {...(list as ComponentProps<typeof ListPage<Row>>)} // all but what follows
      title={t('shell.section.notifications-admin')}
      help={t('notifications-admin.help')}
      label={t(`notifications-admin.tab.${tab}`)}
      above={<AdminTabs chosen={tab} />}
    />
  )
}

type NewProps = {
  permission: Parameters<typeof useMayNot>[0]
  text: string
  onClick: () => void
}

/** Button over a list that opens the form of a new row. */
export function NewButton({ permission, text, onClick }: NewProps) {
  const t = useWords()
  const reason = useMayNot(permission)
  return (
    <ActionButton
      reason={reason && t(reason)}
      leftSection={<IconPlus size={16} />}
      onClick={onClick}
    >
      {text}
    </ActionButton>
  )
}

type RowButtonProps = { text: string; pending: boolean; onClick: () => void }

/** Small button in a row for those who may change notifications. */
export function RowButton({ text, pending, onClick }: RowButtonProps) {
  const t = useWords()
  const reason = useMayNot('notifications:update')
  return (
    <ActionButton
      size="compact-xs"
      variant="default"
      reason={reason && t(reason)}
      loading={pending}
      onClick={onClick}
    >
      {text}
    </ActionButton>
  )
}

/** Column of names, by which rows are known on a phone too. */
export const nameColumn = <Row extends { name: string }>(label: string): Column<Row> => ({
  id: 'name',
  label,
  width: 220,
  grow: 3,
  fixed: true,
  card: 'title',
  value: ({ name }) => name,
  cell: ({ name }) => name,
})
