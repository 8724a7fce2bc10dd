import { late } from '@longreach/ui/late'
import type { Column } from '@longreach/ui/DataTable'
import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { Reason } from '@longreach/ui/Reason'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Suspense, useMemo, useState } from 'react'
import { useErrorText } from '../../parts/words/error-text.ts'
import { PanelLink } from '../../parts/pages/PanelLink.tsx'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { type Group, useGroups, useRoles } from './people-calls.ts'
import { SectionTabs } from './SectionTabs.tsx'

const GroupPanel = late(async () => ({ default: (await import('./GroupPanel.tsx')).GroupPanel }))
const NewGroupDialog = late(async () => ({
  default: (await import('./NewGroupDialog.tsx')).NewGroupDialog,
}))

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
  const text = one(search['q']) ?? ''
  const opened = one(search['group'])
  const list = useGroups(text)
  const rows = list.data?.content ?? []
  const close = () => void change({ group: undefined })
  return (
    <Split>
      <DataTable
        name="groups"
        label={t('permission.groups')}
        columns={useGroupColumns()}
        rows={rows}
        rowId={({ id }) => String(id)}
        total={list.data?.totalElements}
        selected={opened}
        onOpen={({ id }) => void change({ group: id })}
        fetching={list.isFetching && !list.isPending}
        footer={
          list.data && (
            <span>
              {t('permission.groupsShown', { shown: rows.length, total: list.data.totalElements })}
            </span>
          )
        }
        toolbar={
          <SearchField
            label={t('permission.searchGroups')}
            text={text}
            onText={(q) => void change({ q })}
          />
        }
        empty={<Nothing list={list} text={text} onClear={() => void change({ q: undefined })} />}
      />
      {opened !== undefined && (
        <Suspense fallback={null}>
          <GroupPanel key={opened} group={opened} onClose={close} />
        </Suspense>
      )}
    </Split>
  )
}

type NothingProps = { list: ReturnType<typeof useGroups>; text: string; onClear: () => void }

function Nothing({ list, text, onClear }: NothingProps) {
  const t = useWords()
  const errorText = useErrorText()
  if (list.isPending) return <RowsSkeleton />
  if (list.error)
    return <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
  if (text === '')
    return (
      <EmptyState
        kind="nothing"
        title={t('permission.noGroups')}
        text={t('permission.noGroupsText')}
        action={<NewGroupButton />}
      />
    )
  return (
    <NothingFound
      title={t('permission.notFound')}
      clear={t('permission.clearFilter')}
      onClear={onClear}
    />
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
      <Reason text={may ? undefined : t('permission.mayNotCreateGroup')}>
        <Button
          leftSection={<IconPlus size={16} />}
          aria-disabled={!may}
          {...(!may && { 'data-disabled': true })}
          onClick={() => may && setOpened(true)}
        >
          {t('permission.newGroup')}
        </Button>
      </Reason>
      {opened && (
        <Suspense fallback={null}>
          <NewGroupDialog onClose={() => setOpened(false)} />
        </Suspense>
      )}
    </>
  )
}
