import type { Column } from '@longreach/ui/DataTable'
import { ListTable } from '../../parts/pages/ListTable.tsx'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Page, PageHeader, Split } from '@longreach/ui/PageHeader'
import { SearchField } from '@longreach/ui/SearchField'
import { PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { PanelLink } from '../../parts/pages/PanelLink.tsx'
import { useRoleText } from '../../parts/access/role-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { isFoundIn, useListSearch } from '../../parts/pages/use-list-search.ts'
import { type Role, useOrg, useRoles } from './people-calls.ts'
import { Who } from './Who.tsx'
import classes from './permission.module.css'
import { SectionTabs } from './SectionTabs.tsx'
import { linkTo } from '../../parts/pages/page-links.ts'

/** Page of the roles, with the groups and people that hold each. */
export function Component() {
  const t = useWords()
  const may = useMay()('roles:read')
  return (
    <Page>
      <PageHeader title={t('shell.section.permission')} help={t('permission.holdersHelp')} />
      <SectionTabs />
      {may ? <Roles /> : <EmptyState kind="forbidden" title={t('permission.mayNotRoles')} />}
    </Page>
  )
}

function Roles() {
  const t = useWords()
  const told = useRoleText()
  const [search, change] = useSearch()
  const list = useRoles()
  const opened = one(search['role'])
  const { text, field, clear } = useListSearch()
  const all = list.data?.content ?? []
  const rows = all.filter((role) => isFoundIn([`${role.label} ${told(role)}`], text))
  const role = all.find(({ id }) => String(id) === opened)
  return (
    <Split>
      <ListTable
        name="holders"
        label={t('permission.roles')}
        columns={useRoleColumns()}
        rows={rows}
        rowId={({ id }) => String(id)}
        selected={opened}
        onOpen={({ id }) => void change({ role: id })}
        list={list}
        toolbar={<SearchField label={t('permission.findRole')} {...field} />}
        footer={
          list.data && (
            <span>{t('permission.rolesShown', { shown: rows.length, total: all.length })}</span>
          )
        }
        none={{ title: t('permission.noRole') }}
        filtered={
          text === ''
            ? undefined
            : {
                title: t('permission.noRoleFound'),
                clear: t('permission.clearFilter'),
                onClear: clear,
              }
        }
      />
      {role && (
        <Holders key={role.id} role={role} onClose={() => void change({ role: undefined })} />
      )}
    </Split>
  )
}

function useRoleColumns(): Column<Role>[] {
  const t = useWords()
  const told = useRoleText()
  return useMemo(
    () => [
      {
        id: 'label',
        label: t('permission.role'),
        width: 200,
        grow: 1,
        fixed: true,
        sortable: true,
        card: 'title' as const,
        value: (role: Role) => role.label,
        cell: (role: Role) => <PanelLink opens={{ role: String(role.id) }}>{role.label}</PanelLink>,
      },
      {
        id: 'description',
        label: t('permission.description'),
        width: 260,
        grow: 3,
        card: 'detail' as const,
        cell: (role: Role) => told(role) || '—',
      },
    ],
    [t, told],
  )
}

function Holders({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useWords()
  const may = useMay()
  return (
    <SidePanel
      title={role.label}
      actions={
        <Button component={Link} to={`/roles/${role.id}`} variant="default">
          {t('permission.openRole')}
        </Button>
      }
      onClose={onClose}
    >
      {may('usergroups:read') && (
        <PanelSection title={t('permission.groups')}>
          <HoldingGroups role={role} />
        </PanelSection>
      )}
      {may('users:read') && (
        <PanelSection title={t('permission.people')}>
          <HoldingPeople role={role} />
        </PanelSection>
      )}
    </SidePanel>
  )
}

function HoldingGroups({ role }: { role: Role }) {
  const t = useWords()
  const errorText = useErrorText()
  const asked = { roleId: role.id, type: 'STANDARD' as const, pageSize: 100 }
  const groups = useQuery(query(api.core.userGroups, { params: { org: useOrg() }, query: asked }))
  if (groups.error) return <ErrorPanel {...errorText(groups.error)} />
  if (!groups.data) return <RowsSkeleton rows={2} />
  if (groups.data.empty) return <p className={classes.dim}>{t('permission.heldByNone')}</p>
  return (
    <ul className={classes.list}>
      {groups.data.content.map(({ id, name }) => (
        <li key={id}>
          <Anchor
            component={Link}
            {...linkTo('/permission/groups', { search: { group: String(id) } })}
          >
            {name}
          </Anchor>
        </li>
      ))}
    </ul>
  )
}

function HoldingPeople({ role }: { role: Role }) {
  const t = useWords()
  const errorText = useErrorText()
  const asked = { roleId: role.id, pageSize: 50 }
  const people = useQuery(query(api.core.users, { params: { org: useOrg() }, query: asked }))
  if (people.error) return <ErrorPanel {...errorText(people.error)} />
  if (!people.data) return <RowsSkeleton rows={4} />
  if (people.data.empty) return <p className={classes.dim}>{t('permission.heldByNone')}</p>
  return (
    <>
      <ul className={classes.list}>
        {people.data.content.map((person) => (
          <li key={person.id}>
            <Anchor
              component={Link}
              {...linkTo('/permission', { search: { person: String(person.id) } })}
              c="inherit"
            >
              <Who person={person} />
            </Anchor>
          </li>
        ))}
      </ul>
      {!people.data.last && (
        <Anchor component={Link} {...linkTo('/permission', { search: { role: String(role.id) } })}>
          {t('permission.showMore')}
        </Anchor>
      )}
    </>
  )
}
