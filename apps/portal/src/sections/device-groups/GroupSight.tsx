import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import type { Column } from '@longreach/ui/DataTable'
import { ListTable } from '../../parts/pages/ListTable.tsx'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { means } from '../../parts/access/rights-table.ts'
import { personName } from '../../parts/access/right-text.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './device-groups.module.css'

type Sight = Result<(typeof coreContract)['endpoints']['policySight']>['content'][number]

/** Table of the people who have rights on the devices through the group, with their actions and roles. */
export function GroupSight({ policy }: { policy: string }) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const asked = { params: { org, policy }, query: { pageSize: 200 } }
  const list = useQuery(query(api.core.policySight, asked))
  return (
    <ListTable
      name="device-group-sight"
      label={t('device-groups.sight')}
      columns={useColumns()}
      rows={list.data?.content ?? []}
      rowId={({ user }) => String(user.id)}
      total={list.data?.totalElements}
      toolbar={<span className={classes.dim}>{t('device-groups.sightText')}</span>}
      list={list}
      none={{ title: t('device-groups.sightNone'), text: t('device-groups.sightNoneText') }}
    />
  )
}

function useColumns(): Column<Sight>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'person',
        label: t('device-groups.one.person'),
        width: 180,
        grow: 1,
        fixed: true,
        sortable: true,
        card: 'title' as const,
        value: ({ user }) => personName(user),
        cell: ({ user }) => personName(user),
      },
      {
        id: 'actions',
        label: t('device-groups.mayDo'),
        width: 200,
        grow: 1,
        card: 'detail' as const,
        cell: ({ actions }) =>
          actions.length === 0
            ? t('device-groups.nothing')
            : actions
                .filter((action) => means(`devices:${action}`))
                .map((action) => t(`access.action.${action}`))
                .join(', '),
      },
      {
        id: 'through',
        label: t('device-groups.through'),
        width: 260,
        grow: 2,
        cell: ({ through }) => {
          const text = through
            .map(({ role, group, organization, limited }) =>
              t(limited ? 'device-groups.wayLimited' : 'device-groups.way', {
                role,
                group,
                organization,
              }),
            )
            .join(' · ')
          return <span title={text}>{text || '—'}</span>
        },
      },
    ],
    [t],
  )
}
