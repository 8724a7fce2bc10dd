import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { Button, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { DetailPending } from '../../parts/pages/DetailPending.tsx'
import { FailedPage } from '../../parts/pages/FailedPage.tsx'
import { labelOf, useRoleText } from '../../parts/access/role-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { DeviceRights } from './DeviceRights.tsx'
import { NewRoleDialog } from './NewRoleDialog.tsx'
import { Origin } from './role-columns.tsx'
import type { Draft } from './role-calls.ts'
import { RoleFacts } from './RoleFacts.tsx'
import { RoleHolders } from './RoleHolders.tsx'
import { RoleMenu } from './RoleMenu.tsx'
import { contentOf, type Role } from './role-rights.ts'
import { RightsMatrix } from './RightsMatrix.tsx'
import { Breadcrumb } from '../../parts/pages/Breadcrumb.tsx'
import classes from './RolePage.module.css'
import { SaveBar } from './SaveBar.tsx'

const pending = { to: '/roles', section: 'roles', shape: { tabs: 3, panes: 1 } }
const tabs = ['rights', 'devices', 'holders'] as const

/** One role: what it gives, where it reaches, and who has it. */
export function Component() {
  const org = useSession().organization.resourceId
  const { roleId = '' }: { roleId?: string } = useParams({ strict: false })
  const { data, error, refetch } = useQuery(
    query(api.core.role, { params: { org, role: Number(roleId) } }),
  )
  if (error) return <FailedPage kind="role" error={error} onRetry={() => void refetch()} />
  // A role that was saved elsewhere begins anew; what is typed here is then compared with that.
  return data ? <Editor key={data.id} role={data} /> : <DetailPending {...pending} />
}

function Editor({ role }: { role: Role }) {
  const t = useWords()
  const told = useRoleText()
  const mayUpdate = useMay()('roles:update')
  const [search, change] = useSearch()
  const [draft, setDraft] = useState<Draft>()
  const tab = tabs.find((name) => name === one(search['tab'])) ?? 'rights'
  const now: Draft = draft ?? { ...role, label: labelOf(t, role), description: told(role) }
  const locked = reasonOfLock(role, mayUpdate)
  const edit = (patch: Partial<Draft>) =>
    setDraft((before) => {
      const next = { ...(before ?? draftOf(role)), ...patch }
      return contentOf(next) === contentOf(role) ? undefined : next
    })
  const editor = { draft: now, locked: locked && t(locked), onEdit: edit }
  return (
    <Page>
      <PageHeader
        title={now.label}
        beside={<Origin role={role} />}
        trail={<Breadcrumb to="/roles" section="roles" />}
        {...(now.description && { help: now.description })}
        actions={
          <>
            <CopyButton role={role} />
            <RoleMenu role={role} />
          </>
        }
      />
      {locked && <p className={classes.note}>{t(locked)}</p>}
      <Tabs
        value={tab}
        onChange={(next) =>
          void change({ tab: next === 'rights' ? undefined : (next ?? undefined) })
        }
        keepMounted={false}
      >
        <Tabs.List>
          {tabs.map((name) => (
            <Tabs.Tab key={name} value={name}>
              {t(`roles.tab.${name}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value={tab} className={classes.tab}>
          {tab === 'rights' && (
            <>
              <RoleFacts name={role.name} {...editor} />
              <RightsMatrix {...editor} />
            </>
          )}
          {tab === 'devices' && <DeviceRights {...editor} />}
          {tab === 'holders' && <RoleHolders roleId={role.id} />}
        </Tabs.Panel>
      </Tabs>
      {draft && (
        <SaveBar
          role={role}
          draft={draft}
          onDiscard={() => setDraft(undefined)}
          onSaved={() => setDraft(undefined)}
        />
      )}
    </Page>
  )
}

/** Why the role cannot be changed here, as a message; undefined when it can. */
function reasonOfLock({ owner }: Role, mayUpdate: boolean) {
  if (owner !== 'ORGANIZATION') return 'roles.lockedReadyMade'
  return mayUpdate ? undefined : 'roles.lockedNoRight'
}

const draftOf = ({
  label,
  description,
  enabled,
  inherit,
  rules,
  modelPathPermissions,
}: Role): Draft => ({ label, description, enabled, inherit, rules, modelPathPermissions })

function CopyButton({ role }: { role: Role }) {
  const t = useWords()
  const may = useMay()('roles:create')
  const [open, setOpen] = useState(false)
  if (!may) return null
  return (
    <>
      <Button
        variant={role.owner === 'ORGANIZATION' ? 'default' : 'filled'}
        onClick={() => setOpen(true)}
      >
        {t('roles.copy')}
      </Button>
      {open && (
        <NewRoleDialog
          copyOf={{ id: role.id, label: labelOf(t, role) }}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  )
}
