import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { useKeptColumns } from '@longreach/ui/table-layout'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query, stale } from '../../../parts/api/api.ts'
import type { Search } from '../../../parts/pages/section.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import type { SavedViews } from '../../../parts/saved-views/saved-views.ts'
import { useMay, useSession } from '../../../parts/session/session.ts'

export type AlarmView = Result<(typeof alarmsContract)['endpoints']['alarmViews']>['data'][number]
export type ViewList = AlarmView['content']['list']

/** Of each list: keys of the address that a view keeps, and the name under which its columns are remembered. */
const lists: Record<ViewList, { keys: readonly string[]; columns: string }> = {
  open: { keys: ['severity', 'q', 'ack', 'device', 'rule', 'group'], columns: 'alarms' },
  history: {
    keys: ['range', 'severity', 'q', 'ack', 'device', 'rule'],
    columns: 'alarms-history',
  },
  shelved: { keys: ['q', 'kind', 'reason', 'mine'], columns: 'alarm-shelves' },
}

type Filters = Record<string, string>

/** Filters of the address, as a view keeps them. */
const keptFilters = (list: ViewList, search: Search): Filters =>
  Object.fromEntries(
    lists[list].keys.flatMap((key) => {
      const value = one(search[key])
      return value === undefined ? [] : [[key, value]]
    }),
  )

/** Saved views of a list of alarms, own and shared, for its menu. */
export function useAlarmViews(list: ViewList): SavedViews<AlarmView> {
  const t = useWords()
  const here = { organization: useSession().organization.resourceId }
  const isAllowed = useMay()('alarms:update')
  const found = useQuery(query(alarmsApi.alarmViews, { query: here }))
  const views = found.data?.data.filter(({ content }) => content.list === list)
  const [search] = useSearch()
  const columns = useKeptColumns(lists[list].columns)
  const show = useShowAlarmView(list)
  useFirstView(list, views)
  const filters = keptFilters(list, search)
  const open = views?.find(({ id }) => id === one(search['view']))
  const content = () => ({ list, filters, columns: columns.read() })
  return {
    views: views ?? [],
    open,
    isChanged:
      open !== undefined &&
      lists[list].keys.some((key) => open.content.filters[key] !== filters[key]),
    canSave: true,
    hasDescriptions: false,
    sharing: {
      isAllowed,
      text: t(isAllowed ? 'alarm-views.shareText' : 'alarm-views.mayNotShare'),
    },
    plain: { name: t(`alarm-views.all.${list}`), show: () => show(undefined) },
    first: {
      drop: t(`alarm-views.drop.${list}`),
      async set(view) {
        const body = { id: view?.id ?? null, list }
        await alarmsApi.setDefaultAlarmView({ query: here, body })
        await renewAlarmViews()
      },
    },
    show,
    async save(over, { name, shared }) {
      const body = { name, shared, content: content() }
      const saved = await (over
        ? alarmsApi.updateAlarmView({
            params: { id: over.id },
            query: here,
            body: { ...body, version: over.version },
          })
        : alarmsApi.createAlarmView({ query: here, body }))
      await renewAlarmViews()
      return saved
    },
    async remove({ id, name, shared, content: kept }) {
      await alarmsApi.deleteAlarmView({ params: { id }, query: here })
      await renewAlarmViews()
      return async () => {
        await alarmsApi.createAlarmView({ query: here, body: { name, shared, content: kept } })
        await renewAlarmViews()
      }
    },
  }
}

const renewAlarmViews = () => stale(alarmsApi.alarmViews)

/** Shows a view in the place of what is shown; undefined: the whole list. */
function useShowAlarmView(list: ViewList) {
  const [, change] = useSearch()
  const columns = useKeptColumns(lists[list].columns)
  return (view: AlarmView | undefined, { push = true } = {}) => {
    if (view && Object.keys(view.content.columns).length > 0) columns.write(view.content.columns)
    const none = Object.fromEntries(lists[list].keys.map((key) => [key, undefined]))
    void change({ ...none, ...view?.content.filters, view: view?.id ?? 'all' }, { push })
  }
}

/** Shows once the view that the address names alone, or the one with which the person's list begins. */
function useFirstView(list: ViewList, views: readonly AlarmView[] | undefined) {
  const [search] = useSearch()
  const show = useShowAlarmView(list)
  const begun = useRef(false)
  useEffect(() => {
    if (views === undefined || begun.current) return
    begun.current = true
    if (Object.keys(keptFilters(list, search)).length > 0) return
    const id = one(search['view'])
    // The link of a view has its id alone.
    const chosen = views.find((view) => (id === undefined ? view.isDefault : view.id === id))
    if (chosen) show(chosen, { push: false })
  })
}
