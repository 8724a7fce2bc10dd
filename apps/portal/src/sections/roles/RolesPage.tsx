import { ActionButton } from '@longreach/ui/ActionButton'
import { late } from '@longreach/ui/late'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import { SearchField } from '@longreach/ui/SearchField'
import { useWords } from '@longreach/ui/use-words'
import { Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { useRoleText } from '../../parts/access/role-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { useOpenedByAddress } from '../../parts/pages/use-opened-by-address.ts'
import { isFoundIn, useListSearch } from '../../parts/pages/use-list-search.ts'
import type { Role } from './role-rights.ts'
import { rolesQuery, useRoles } from './role-calls.ts'
import { useRoleColumns } from './role-columns.tsx'
import { queries } from '../../parts/api/queries.ts'
import type { Asked } from '../../parts/pages/section.ts'

const NewRoleDialog = late(() => import('./NewRoleDialog.tsx'), 'NewRoleDialog')

const kinds = [
  { path: '/roles', word: 'roles.kind.all', type: undefined },
  { path: '/roles/data', word: 'roles.kind.data', type: 'APPLICATION' },
  { path: '/roles/device', word: 'roles.kind.device', type: 'DEVICE' },
] as const

/** Starts the call for the roles. */
export const loader = ({ org }: Asked) => void queries.prefetchQuery(rolesQuery(org))

/** The roles of the organization: ready-made ones and its own. */
export function Component() {
  const t = useWords()
  const navigate = useNavigate()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const { text, field, clear } = useListSearch()
  const list = useRoles()
  const kind = kinds.find(({ path }) => path === pathname) ?? kinds[0]
  const told = useRoleText()
  const columns = useRoleColumns()
  const ofKind = rolesOfKind(list.data?.content ?? [], kind.type)
  const rows = ofKind.filter((role) => isFoundIn([role.label, role.name, told(role)], text))
  return (
    <ListPage
      title={t('shell.section.roles')}
      count={list.data && ofKind.length}
      help={t('roles.help')}
      actions={<NewButton />}
      above={<KindTabs path={kind.path} />}
      name="roles"
      columns={columns}
      rows={rows}
      rowId={(row) => String(row.id)}
      onOpen={(row) => void navigate({ to: `/roles/${row.id}` })}
      list={list}
      toolbar={<SearchField label={t('roles.search')} {...field} />}
      footer={
        list.data && <span>{t('roles.footer', { shown: rows.length, total: ofKind.length })}</span>
      }
      none={{ title: t('roles.none') }}
      filtered={
        text === ''
          ? undefined
          : { title: t('roles.noneFound'), clear: t('roles.clear'), onClear: clear }
      }
    />
  )
}

const rolesOfKind = (roles: readonly Role[], kind: string | undefined) =>
  roles.filter(({ type }) => kind === undefined || type === kind)

function KindTabs({ path: open }: { path: string }) {
  const t = useWords()
  return (
    <Tabs value={open}>
      <Tabs.List>
        {kinds.map(({ path, word }) => (
          <Tabs.Tab key={path} value={path} renderRoot={(props) => <Link to={path} {...props} />}>
            {t(word)}
          </Tabs.Tab>
        ))}
      </Tabs.List>
    </Tabs>
  )
}

function NewButton() {
  const t = useWords()
  const may = useMay()('roles:create')
  const [open, setOpen] = useOpenedByAddress('role')
  return (
    <>
      <ActionButton
        reason={may ? undefined : t('roles.mayNotCreate')}
        leftSection={<IconPlus size={16} stroke={1.8} />}
        onClick={() => setOpen(true)}
      >
        {t('roles.new')}
      </ActionButton>
      {open && may && <NewRoleDialog onClose={() => setOpen(false)} />}
    </>
  )
}
