import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import type { Column } from '@longreach/ui/DataTable'
import { ListTable } from '../../parts/pages/ListTable.tsx'
import { EmptyState } from '@longreach/ui/EmptyState'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { IconPlus } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { PanelLink } from '../../parts/pages/PanelLink.tsx'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useListSearch } from '../../parts/pages/use-list-search.ts'
import { type Group, useGroups, useRoles } from './people-calls.ts'
import { SectionTabs } from './SectionTabs.tsx'

const GroupPanel = late(() => import('./GroupPanel.tsx'), 'GroupPanel')
const NewGroupDialog = late(() => import('./NewGroupDialog.tsx'), 'NewGroupDialog')

/** The groups of the organization: who is in them, and what they carry. */
export function Component() {
  const t = useWords()
  const may = useMay()('usergroups:read')
  return (
    <Page>
      <PageHeader
        title={t('shell.section.permission')}
        help={t('permission.groupsHelp')}
        actions={<NewGroupButton />}
      />
      <SectionTabs />
      {may ? <Groups /> : <EmptyState kind="forbidden" title={t('permission.mayNotReadGroups')} />}
    </Page>
  )
}

function Groups() {
  const t = useWords()
  const [search, change] = useSearch()
  const { text, field, clear } = useListSearch()
  const opened = one(search['group'])
  const list = useGroups(text)
  const rows = list.data?.content ?? []
  const close = () => void change({ group: undefined })
  return (
    <Split>
      <ListTable
        name="groups"
        label={t('permission.groups')}
        columns={useGroupColumns()}
        rows={rows}
        rowId={({ id }) => String(id)}
        total={list.data?.totalElements}
        selected={opened}
        onOpen={({ id }) => void change({ group: id })}
        list={list}
        footer={
          list.data && (
            <span>
              {t('permission.groupsShown', { shown: rows.length, total: list.data.totalElements })}
            </span>
          )
        }
        toolbar={<SearchField label={t('permission.searchGroups')} {...field} />}
        none={{
          title: t('permission.noGroups'),
          text: t('permission.noGroupsText'),
          action: <NewGroupButton />,
        }}
        filtered={
          text === ''
            ? undefined
            : {
                title: t('permission.notFound'),
                clear: t('permission.clearFilter'),
                onClear: clear,
              }
        }
      />
      {opened !== undefined && <GroupPanel key={opened} group={opened} onClose={close} />}
    </Split>
  )
}

function useGroupColumns(): Column<Group>[] {
  const t = useWords()
  const roles = useRoles().data?.content
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('permission.name'),
        width: 180,
        grow: 2,
        fixed: true,
        sortable: true,
        card: 'title' as const,
        value: (group: Group) => group.name,
        cell: (group: Group) => (
          <PanelLink opens={{ group: String(group.id) }}>{group.name}</PanelLink>
        ),
      },
      {
        id: 'members',
        label: t('permission.members'),
        width: 110,
        align: 'end' as const,
        sortable: true,
        card: 'state' as const,
        value: (group: Group) => group.memberCount,
        cell: (group: Group) => t('permission.memberCount', { count: group.memberCount }),
      },
      {
        id: 'roles',
        label: t('permission.roles'),
        width: 220,
        grow: 3,
        card: 'detail' as const,
        cell: ({ rolesId }: Group) =>
          rolesId
            .map((id) => roles?.find((role) => role.id === id)?.label ?? `#${id}`)
            .join(', ') || '—',
      },
    ],
    [t, roles],
  )
}

function NewGroupButton() {
  const t = useWords()
  const may = useMay()('usergroups:create')
  const [opened, setOpened] = useState(false)
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('permission.mayNotCreateGroup')}
        leftSection={<IconPlus size={16} />}
        onClick={() => setOpened(true)}
      >
        {t('permission.newGroup')}
      </ActionButton>
      {opened && <NewGroupDialog onClose={() => setOpened(false)} />}
    </>
  )
}
