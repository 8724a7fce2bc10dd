import type { Column } from '@longreach/ui/DataTable'
import { NumberText } from '@longreach/ui/NumberText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useMemo } from 'react'
import { agreementText } from '../../parts/agreements/agreement-rules.ts'
import { useLook } from '../../parts/look/look.ts'
import { PanelLink } from '../../parts/pages/PanelLink.tsx'
import { type Life, lifeOf, type Version } from './version-rules.ts'

const tones: Record<Life, Tone> = {
  inForce: 'ok',
  planned: 'info',
  replaced: 'off',
  ended: 'off',
  off: 'warning',
}

/** State of a version as a coloured word. */
export function LifeTag({ life }: { life: Life }) {
  const t = useWords()
  return <Tag tone={tones[life]}>{t(`agreements-admin.life.${life}`)}</Tag>
}

/** Columns of the list of versions. */
export function useVersionColumns(all: readonly Version[], now: number): Column<Version>[] {
  const t = useWords()
  const { language } = useLook()
  return useMemo(
    () => [
      {
        id: 'name',
        label: t('agreements-admin.name'),
        width: 220,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title' as const,
        value: (row) => agreementText(row, language).title,
        cell: (row) => (
          <PanelLink opens={{ version: String(row.id) }}>
            {agreementText(row, language).title}
          </PanelLink>
        ),
      },
      {
        id: 'type',
        label: t('agreements-admin.type'),
        width: 150,
        sortable: true,
        card: 'detail' as const,
        value: ({ type }) => t(`agreements-admin.types.${type}`),
        cell: ({ type }) => t(`agreements-admin.types.${type}`),
      },
      {
        id: 'version',
        label: t('agreements-admin.version'),
        width: 90,
        sortable: true,
        value: ({ version }) => version,
        cell: ({ version }) => version,
      },
      {
        id: 'life',
        label: t('agreements-admin.state'),
        width: 120,
        sortable: true,
        card: 'state' as const,
        value: (row) => lifeOf(row, all, now),
        cell: (row) => <LifeTag life={lifeOf(row, all, now)} />,
      },
      {
        id: 'mandatory',
        label: t('agreements-admin.mandatory'),
        width: 110,
        cell: ({ mandatory }) => t(mandatory ? 'agreements-admin.yes' : 'agreements-admin.no'),
      },
      {
        id: 'start',
        label: t('agreements-admin.start'),
        width: 130,
        sortable: true,
        value: ({ validityStart }) => validityStart.getTime(),
        cell: ({ validityStart }) => <RelativeTime at={validityStart} />,
      },
      {
        id: 'acceptances',
        label: t('agreements-admin.acceptances'),
        width: 120,
        sortable: true,
        value: ({ acceptances }) => acceptances,
        cell: ({ acceptances }) => <NumberText value={acceptances} />,
      },
    ],
    [t, language, all, now],
  )
}
