import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import classes from './role-columns.module.css'
import { useRoleText } from '../../parts/access/role-text.ts'
import { rightsCount, type Role } from './role-rights.ts'

/** Columns of the list of roles. */
export function useRoleColumns(): Column<Role>[] {
  const t = useWords()
  const told = useRoleText()
  return useMemo(
    () => [
      {
        id: 'label',
        label: t('roles.role'),
        width: 190,
        grow: 1,
        sortable: true,
        fixed: true,
        card: 'title',
        value: ({ label }) => label.toLocaleLowerCase(),
        cell: ({ id, label }) => (
          <Anchor component={Link} to={`/roles/${id}`} inherit>
            {label}
          </Anchor>
        ),
      },
      {
        id: 'description',
        label: t('roles.description'),
        width: 190,
        grow: 2,
        card: 'detail',
        cell: (role) => <span className={classes.cut}>{told(role)}</span>,
      },
      {
        id: 'type',
        label: t('roles.type'),
        width: 150,
        sortable: true,
        value: ({ type }) => type,
        cell: ({ type }) => t(type === 'DEVICE' ? 'roles.kind.device' : 'roles.kind.data'),
      },
      {
        id: 'owner',
        label: t('roles.origin'),
        width: 130,
        sortable: true,
        card: 'state',
        value: ({ owner }) => owner,
        cell: (role) => <Origin role={role} />,
      },
      {
        id: 'rights',
        label: t('roles.rights'),
        width: 130,
        align: 'end',
        sortable: true,
        value: ({ rules }) => rightsCount(rules),
        cell: ({ rules }) => rightsCount(rules),
      },
      {
        id: 'inherit',
        label: t('roles.reach'),
        width: 190,
        cell: ({ inherit }) => t(inherit ? 'roles.hereAndBelow' : 'roles.here'),
      },
      {
        id: 'updated',
        label: t('roles.updated'),
        width: 130,
        sortable: true,
        value: ({ updatedAt }) => updatedAt,
        cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      },
    ],
    [t, told],
  )
}

/** Ready-made, or made here; and whether it is switched off. */
export function Origin({ role: { owner, enabled } }: { role: Pick<Role, 'owner' | 'enabled'> }) {
  const t = useWords()
  if (!enabled) return <Tag tone="off">{t('roles.off')}</Tag>
  return <Tag tone={owner === 'SYSTEM' ? 'info' : 'ok'}>{t(`roles.owner.${owner}`)}</Tag>
}
