import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import { useSession } from '../../parts/session/session.ts'
import type { Model } from './model-calls.ts'
import classes from './model-columns.module.css'

/** Columns of the list of models. */
export function useModelColumns(): Column<Model>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('models.model'),
        width: 220,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title',
        value: ({ name }) => name,
        cell: ({ id, name }) => (
          <Anchor component={Link} to={`/models/${id}`} inherit className={classes.cut ?? ''}>
            {name}
          </Anchor>
        ),
      },
      {
        id: 'version',
        label: t('models.newest'),
        width: 110,
        card: 'detail',
        cell: ({ version }) => version,
      },
      {
        id: 'sharing',
        label: t('models.sharing'),
        width: 150,
        grow: 1,
        card: 'state',
        cell: (model) => <Sharing model={model} />,
      },
      {
        id: 'presets',
        label: t('models.presets'),
        width: 90,
        align: 'end',
        cell: ({ usage }) => usage?.presets,
      },
      {
        id: 'devices',
        label: t('models.devices'),
        width: 90,
        align: 'end',
        cell: ({ usage }) => usage?.devices,
      },
      {
        id: 'updatedAt',
        label: t('models.updated'),
        width: 130,
        sortable: true,
        cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      },
    ],
    [t],
  )
}

/** Shared with organizations below, or from one above. */
export function Sharing({
  model,
}: {
  model: Pick<Model, 'orgResourceId' | 'subOrgsEnabledToView'>
}) {
  const t = useWords()
  const own = useSession().organization.resourceId
  if (model.orgResourceId !== own) {
    return <Tag tone="info">{t('models.from', { organization: model.orgResourceId })}</Tag>
  }
  return model.subOrgsEnabledToView ? <Tag tone="ok">{t('models.shared')}</Tag> : null
}
