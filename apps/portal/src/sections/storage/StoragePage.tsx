import { Page, PageHeader } from '@longreach/ui/PageHeader'
import { useWords } from '@longreach/ui/use-words'
import { SegmentedControl } from '@mantine/core'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { AlarmRetention } from './AlarmRetention.tsx'
import { RetentionView } from './RetentionView.tsx'
import { storageQuery, useRetention, useStorage } from './storage-calls.ts'
import { StorageFigures } from './StorageFigures.tsx'
import { UsedTable } from './UsedTable.tsx'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'
import { queries } from '../../parts/api/queries.ts'
import { useMay } from '../../parts/session/session.ts'
import type { Asked } from '../../parts/pages/section.ts'

const views = ['used', 'retention'] as const

/** Starts the call for the used storage. */
export const loader = ({ org }: Asked) => void queries.prefetchQuery(storageQuery(org))

/** Page of the storage that values take, its growth, and the retention of values. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const view = views.find((name) => name === one(search['view'])) ?? 'used'
  const used = useStorage()
  const mayAlarms = useMay()('alarms:read')
  const rules = useRetention().data?.rules
  return (
    <Page>
      <PageHeader
        title={t('shell.section.storage')}
        help={t('storage.help')}
        actions={
          <SegmentedControl
            size="xs"
            aria-label={t('storage.view')}
            value={view}
            onChange={(value) =>
              void change({ view: value === 'used' ? undefined : value, device: undefined })
            }
            data={views.map((value) => ({ value, label: t(`storage.views.${value}`) }))}
          />
        }
      />
      {view === 'retention' ? (
        <>
          {mayAlarms && <AlarmRetention />}
          <RetentionView />
        </>
      ) : used.error || !used.data ? (
        <ContentPending {...used} rows={12} />
      ) : (
        <>
          <StorageFigures used={used.data} rules={rules ?? []} />
          <UsedTable used={used.data} fetching={used.isFetching} />
        </>
      )}
    </Page>
  )
}
