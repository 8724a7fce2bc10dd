import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useIntl } from 'react-intl'
import { useActorName } from '../../../parts/audit/actor-name.ts'
import classes from '../devices.module.css'

export type Deleted = Result<
  (typeof mappingsContract)['endpoints']['deletedDevices']
>['data'][number]

/** Columns of the trash: what it was, who deleted it, and until when it can come back. */
export function useTrashColumns(
  onAction: (kind: 'restore' | 'purge', device: Deleted) => void,
): Column<Deleted>[] {
  const t = useWords()
  const nameOf = useActorName()
  const intl = useIntl()
  return [
    {
      id: 'label',
      label: t('devices.device'),
      width: 180,
      grow: 2,
      fixed: true,
      card: 'title',
      value: (row) => row.label,
      cell: (row) => row.label,
    },
    {
      id: 'organization',
      label: t('devices.organization'),
      width: 140,
      grow: 1,
      cell: (row) => row.orgResourceId,
    },
    {
      id: 'preset',
      label: t('devices.preset'),
      width: 120,
      grow: 1,
      cell: (row) => row.presetName ?? '—',
    },
    {
      id: 'deleted',
      label: t('devices.deletedAt'),
      width: 130,
      card: 'state',
      cell: (row) => <RelativeTime at={row.deletedAt} />,
    },
    {
      id: 'by',
      label: t('devices.deletedBy'),
      width: 130,
      grow: 1,
      cell: (row) => nameOf(row.deletedBy),
    },
    {
      id: 'purged',
      label: t('devices.purgedAt'),
      width: 120,
      card: 'detail',
      cell: (row) => intl.formatDate(row.purgedAt, { dateStyle: 'medium' }),
    },
    {
      id: 'actions',
      label: '',
      width: 310,
      fixed: true,
      align: 'end',
      card: 'detail',
      cell: (row) => (
        <>
          <Button variant="subtle" size="compact-sm" onClick={() => onAction('restore', row)}>
            {t('devices.restore')}
          </Button>
          <Button
            variant="subtle"
            size="compact-sm"
            className={classes.danger}
            onClick={() => onAction('purge', row)}
          >
            {t('devices.purge')}
          </Button>
        </>
      ),
    },
  ]
}
