import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { ListedPreset, Use } from './preset-calls.ts'

export type PresetLine = ListedPreset & { use: Use | undefined }

/** Columns of the list of presets. */
export function usePresetColumns(): Column<PresetLine>[] {
  const t = useWords()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('presets.preset'),
        width: 200,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title',
        value: ({ name }) => name.toLocaleLowerCase(),
        cell: ({ id, name }) => (
          <Anchor component={Link} to={`/presets/${id}`} inherit>
            {name}
          </Anchor>
        ),
      },
      {
        id: 'model',
        label: t('presets.model'),
        width: 150,
        grow: 1,
        sortable: true,
        card: 'detail',
        value: ({ modelName }) => modelName.toLocaleLowerCase(),
        cell: ({ modelName, version }) => `${modelName} ${version}`,
      },
      {
        id: 'devices',
        label: t('presets.devices'),
        width: 90,
        align: 'end',
        sortable: true,
        value: ({ use }) => use?.devices ?? 0,
        cell: ({ use }) => use?.devices ?? '—',
      },
      {
        id: 'state',
        label: t('presets.state'),
        width: 250,
        sortable: true,
        card: 'state',
        value: ({ use }) => (use ? use.error * 1e6 + use.pending : 0),
        cell: ({ use }) => <UseState use={use} />,
      },
      {
        id: 'updated',
        label: t('presets.updated'),
        width: 130,
        sortable: true,
        value: ({ updatedAt }) => updatedAt,
        cell: ({ updatedAt }) => <RelativeTime at={updatedAt} />,
      },
    ],
    [t],
  )
}

/** Progress of a preset's devices, the worst state first. */
export function UseState({ use }: { use: Use | undefined }) {
  const t = useWords()
  if (!use || use.devices === 0) return <StatusDot tone="off">{t('presets.unused')}</StatusDot>
  if (use.error > 0) {
    return <StatusDot tone="warning">{t('presets.failedOf', { count: use.error })}</StatusDot>
  }
  if (use.pending > 0) {
    return <StatusDot tone="info">{t('presets.pendingOf', { count: use.pending })}</StatusDot>
  }
  return <StatusDot tone="ok">{t('presets.appliedAll')}</StatusDot>
}
