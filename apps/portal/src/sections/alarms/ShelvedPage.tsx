import { late } from '@longreach/ui/late'
import { useWords } from '@longreach/ui/use-words'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ShelvesQuestion } from '../../parts/alarms/shelf-calls.ts'
import { shelfReasons, shelfTargets, shelvesQuery } from '../../parts/alarms/shelf-calls.ts'
import { ListPage } from '../../parts/pages/ListPage.tsx'
import type { Search } from '../../parts/pages/section.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { useReach } from '../../parts/session/reach.ts'
import { AlarmTabs } from './AlarmTabs.tsx'
import { NewShelf } from './shelves/NewShelf.tsx'
import { useShelfColumns } from './shelves/shelf-columns.tsx'
import { AlarmViewsMenu } from './views/AlarmViewsMenu.tsx'

// Selects are loaded after the list.
const ShelfFilters = late(() => import('./shelves/ShelfFilters.tsx'), 'ShelfFilters')
const ShelfPanel = late(() => import('./shelves/ShelfPanel.tsx'), 'ShelfPanel')

/** List of the shelves of the organization and of those above, with until when and why. */
export function Component() {
  const t = useWords()
  const [search, change] = useSearch()
  const filters = shelfFiltersIn(search)
  const list = useInfiniteQuery(shelvesQuery(useReach(), shelvesQuestionFor(filters)))
  const rows = list.data?.pages.flatMap(({ data }) => data) ?? []
  const total = list.data?.pages[0]?.totalElements
  const opened = one(search['shelf'])
  const shown = rows.find(({ id }) => id === opened)
  const close = () => void change({ shelf: undefined })
  return (
    <ListPage
      title={t('shell.section.alarms')}
      help={t('alarm-shelves.help')}
      actions={
        <>
          <AlarmViewsMenu list="shelved" />
          <NewShelf />
        </>
      }
      above={<AlarmTabs />}
      name="alarm-shelves"
      label={t('alarm-shelves.shelves')}
      columns={useShelfColumns()}
      rows={rows}
      rowId={({ id }) => id}
      total={total}
      selected={opened}
      onOpen={({ id }) => void change({ shelf: id })}
      list={list}
      toolbar={<ShelfFilters filters={filters} onChange={change} />}
      footer={total !== undefined && <span>{t('alarm-shelves.count', { total })}</span>}
      none={{ title: t('alarm-shelves.none'), text: t('alarm-shelves.noneText') }}
      filtered={
        Object.values(filters).some(Boolean)
          ? {
              title: t('alarm-shelves.noneFound'),
              clear: t('alarms.clearFilter'),
              onClear: () => void change(noShelfFilters),
            }
          : undefined
      }
      panel={shown && <ShelfPanel key={shown.id} shelf={shown} onClose={close} />}
    />
  )
}

type Filters = Record<'q' | 'kind' | 'reason' | 'mine', string | undefined>

const noShelfFilters: Filters = {
  q: undefined,
  kind: undefined,
  reason: undefined,
  mine: undefined,
}

const shelfFiltersIn = (search: Search): Filters => ({
  q: one(search['q']),
  kind: one(search['kind']),
  reason: one(search['reason']),
  mine: one(search['mine']),
})

function shelvesQuestionFor({ q, kind, reason, mine }: Filters): ShelvesQuestion {
  const type = shelfTargets.find((each) => each === kind)
  const why = shelfReasons.find((each) => each === reason)
  return {
    ...(q && { search: q }),
    ...(type && { type }),
    ...(why && { reason: why }),
    ...(mine === 'yes' && { mine: true }),
  }
}
