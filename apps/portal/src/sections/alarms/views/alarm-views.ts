import type { alarmsContract } from '@longreach/alarms/contract'
import type { Result } from '@longreach/kit/contract'
import { useKeptColumns } from '@longreach/ui/table-layout'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { query, stale } from '../../../parts/api/api.ts'
import type { Search } from '../../../parts/pages/section.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { useSession } from '../../../parts/session/session.ts'

export type AlarmView = Result<(typeof alarmsContract)['endpoints']['alarmViews']>['data'][number]

/** Keys of the address that a view keeps. */
const filterKeys = ['severity', 'q', 'ack', 'device', 'rule', 'group'] as const
/** Name under which the columns of the list are remembered. */
const listName = 'alarms'

const useViewOrganization = () => ({ organization: useSession().organization.resourceId })

const renewAlarmViews = () => stale(alarmsApi.alarmViews)

/** Saved views of the list of open alarms: own and shared. */
export function useAlarmViews() {
  const found = useQuery(query(alarmsApi.alarmViews, { query: useViewOrganization() }))
  return found.data?.data
}

/** Filters of the address, as a view keeps them. */
const filtersOfSearch = (search: Search): Record<string, string> =>
  Object.fromEntries(
    filterKeys.flatMap((key) => {
      const value = one(search[key])
      return value === undefined ? [] : [[key, value]]
    }),
  )

type Filters = Record<string, string>

const hasFilters = (kept: Filters, shown: Filters) =>
  filterKeys.every((key) => kept[key] === shown[key])

/** Shows a view in the place of what is shown; undefined: all alarms. */
export function useShowAlarmView() {
  const [, change] = useSearch()
  const columns = useKeptColumns(listName)
  return (view: AlarmView | undefined, { push = true } = {}) => {
    if (view && Object.keys(view.content.columns).length > 0) columns.write(view.content.columns)
    const none = Object.fromEntries(filterKeys.map((key) => [key, undefined]))
    void change({ ...none, ...view?.content.filters, view: view?.id ?? 'all' }, { push })
  }
}

/** View that the address names; the person's list begins with the one that they chose. */
export function useOpenAlarmView() {
  const [search] = useSearch()
  const views = useAlarmViews()
  const show = useShowAlarmView()
  const id = one(search['view'])
  const begun = useRef(false)
  const filters = filtersOfSearch(search)
  const isPlain = id === undefined && Object.keys(filters).length === 0
  useEffect(() => {
    if (views === undefined || begun.current) return
    begun.current = true
    const named = views.find((view) => view.id === id)
    const first = views.find(({ isDefault, content }) => isDefault && content.list === 'open')
    // The link of a view has its id alone.
    const chosen = isPlain ? first : Object.keys(filters).length === 0 ? named : undefined
    if (chosen) show(chosen, { push: false })
  })
  const view = views?.find((each) => each.id === id)
  return { view, isChanged: view !== undefined && !hasFilters(view.content.filters, filters) }
}

type Fields = { name: string; shared: boolean }

/** Saves what is shown as a view, or over one. */
export function useSaveAlarmView(view: AlarmView | undefined, onDone: (saved: AlarmView) => void) {
  const [search] = useSearch()
  const here = useViewOrganization()
  const columns = useKeptColumns(listName)
  return useMutation({
    mutationFn: (fields: Fields) => {
      const filters = filtersOfSearch(search)
      const content = { list: 'open' as const, filters, columns: columns.read() }
      const body = { ...fields, content }
      return view
        ? alarmsApi.updateAlarmView({
            params: { id: view.id },
            query: here,
            body: { ...body, version: view.version },
          })
        : alarmsApi.createAlarmView({ query: here, body })
    },
    onSuccess: async (saved) => {
      await renewAlarmViews()
      onDone(saved)
    },
  })
}

/** Deletes a view; the answer makes it again. */
export function useDeleteAlarmView() {
  const here = useViewOrganization()
  return useMutation({
    mutationFn: async (view: AlarmView) => {
      await alarmsApi.deleteAlarmView({ params: { id: view.id }, query: here })
      await renewAlarmViews()
      const { name, shared, content } = view
      return async () => {
        await alarmsApi.createAlarmView({ query: here, body: { name, shared, content } })
        await renewAlarmViews()
      }
    },
  })
}

/** Sets the view with which the person's list begins, or none. */
export function useSetDefaultView() {
  const here = useViewOrganization()
  return useMutation({
    mutationFn: (id: string | null) => alarmsApi.setDefaultAlarmView({ query: here, body: { id } }),
    onSuccess: renewAlarmViews,
  })
}
