import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots, IconTrash } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { ImpactLine } from './ImpactDialog.tsx'
import { rolesChanged } from './role-calls.ts'
import type { Role } from './role-rights.ts'

/** Menu of further actions on a role. */
export function RoleMenu({ role }: { role: Role }) {
  const t = useWords()
  const may = useMay()('roles:delete')
  const [deleting, setDeleting] = useState(false)
  if (!may || role.owner !== 'ORGANIZATION') return null
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={32} aria-label={t('roles.more')}>
            <IconDots size={17} stroke={1.6} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item
            leftSection={<IconTrash size={15} stroke={1.6} />}
            onClick={() => setDeleting(true)}
          >
            {t('roles.delete')}
          </Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {deleting && <DeleteDialog role={role} onClose={() => setDeleting(false)} />}
    </>
  )
}

/** Says who loses what, and asks for the role's name. */
function DeleteDialog({ role, onClose }: { role: Role; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const toast = useToast()
  const navigate = useNavigate()
  const org = useSession().organization.resourceId
  const params = { org, role: role.id }
  const impact = useQuery(query(api.core.roleImpact, { params, body: { deleted: true } }))
  const remove = useMutation({
    mutationFn: () => api.core.deleteRole({ params, query: { force: true } }),
    onSuccess: async () => {
      toast({ message: t('roles.deleted', { label: role.label }) })
      await navigate({ to: '/roles' })
      await rolesChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('roles.deleteTitle', { label: role.label })}
      verb={t('roles.delete')}
      danger
      typed={role.label}
      pending={remove.isPending || impact.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('roles.deleteText')}</p>
      {impact.error && <ErrorPanel {...errorText(impact.error)} />}
      {impact.data && (
        <p>
          <ImpactLine totals={impact.data.totals} />
        </p>
      )}
    </ConfirmDialog>
  )
}
