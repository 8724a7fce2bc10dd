import { late } from '@longreach/ui/late'
import { DataTable } from '@longreach/ui/DataTable'
import { EmptyState } from '@longreach/ui/EmptyState'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { NothingFound } from '@longreach/ui/NothingFound'
import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { Reason } from '@longreach/ui/Reason'
import { SearchField } from '@longreach/ui/SearchField'
import { RowsSkeleton } from '@longreach/ui/Skeletons'
import { useWords } from '@longreach/ui/use-words'
import { Button, Tabs } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { Link, useNavigate, useRouterState } from '@tanstack/react-router'
import { Suspense } from 'react'
import { useIntl } from 'react-intl'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useRoleText } from '../../parts/access/role-text.ts'
import { useMay } from '../../parts/session/session.ts'
import { useOpenedByAddress } from '../../parts/pages/use-opened-by-address.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import type { Role } from './role-rights.ts'
import { useRoles } from './role-calls.ts'
import { useRoleColumns } from './role-columns.tsx'

const NewRoleDialog = late(async () => ({
  default: (await import('./NewRoleDialog.tsx')).NewRoleDialog,
}))

const kinds = [
  { path: '/roles', word: 'roles.kind.all', type: undefined },
  { path: '/roles/data', word: 'roles.kind.data', type: 'APPLICATION' },
  { path: '/roles/device', word: 'roles.kind.device', type: 'DEVICE' },
] as const

/** The roles of the organization: ready-made ones and its own. */
export function Component() {
  const t = useWords()
  const intl = useIntl()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const pathname = useRouterState({ select: ({ location }) => location.pathname })
  const [search, change] = useSearch()
  const text = one(search['q']) ?? ''
  const list = useRoles()
  const kind = kinds.find(({ path }) => path === pathname) ?? kinds[0]
  const told = useRoleText()
  const columns = useRoleColumns()
  const ofKind = rolesOfKind(list.data?.content ?? [], kind.type)
  const rows = ofKind.filter((role) => isFound({ ...role, description: told(role) }, text))
  return (
    <Page>
      <PageHeader
        title={t('shell.section.roles')}
        count={list.data && intl.formatNumber(ofKind.length)}
        help={t('roles.help')}
        actions={<NewButton />}
      />
      <Tabs value={kind.path}>
        <Tabs.List>
          {kinds.map(({ path, word }) => (
            <Tabs.Tab key={path} value={path} renderRoot={(props) => <Link to={path} {...props} />}>
              {t(word)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <DataTable
        name="roles"
        label={t('shell.section.roles')}
        columns={columns}
        rows={rows}
        rowId={(row) => String(row.id)}
        onOpen={(row) => void navigate({ to: `/roles/${row.id}` })}
        fetching={list.isFetching && !list.isPending}
        toolbar={
          <SearchField label={t('roles.search')} text={text} onText={(q) => void change({ q })} />
        }
        footer={
          list.data && (
            <span>{t('roles.footer', { shown: rows.length, total: ofKind.length })}</span>
          )
        }
        empty={
          list.isPending ? (
            <RowsSkeleton />
          ) : list.error ? (
            <ErrorPanel {...errorText(list.error)} onRetry={() => void list.refetch()} />
          ) : (
            <Nothing filtered={text !== ''} onClear={() => void change({ q: undefined })} />
          )
        }
      />
    </Page>
  )
}

const rolesOfKind = (roles: readonly Role[], kind: string | undefined) =>
  roles.filter(({ type }) => kind === undefined || type === kind)

function Nothing({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  const t = useWords()
  if (!filtered) return <EmptyState kind="nothing" title={t('roles.none')} />
  return <NothingFound title={t('roles.noneFound')} clear={t('roles.clear')} onClear={onClear} />
}

const isFound = (
  { label, name, description }: { label: string; name: string; description: string },
  text: string,
) =>
  [label, name, description].some((one) =>
    one.toLocaleLowerCase().includes(text.trim().toLocaleLowerCase()),
  )

function NewButton() {
  const t = useWords()
  const may = useMay()('roles:create')
  const [open, setOpen] = useOpenedByAddress('role')
  return (
    <>
      <Reason text={may ? undefined : t('roles.mayNotCreate')}>
        <Button
          leftSection={<IconPlus size={16} stroke={1.8} />}
          aria-disabled={!may}
          {...(!may && { 'data-disabled': true })}
          onClick={() => may && setOpen(true)}
        >
          {t('roles.new')}
        </Button>
      </Reason>
      {open && may && (
        <Suspense fallback={null}>
          <NewRoleDialog onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
