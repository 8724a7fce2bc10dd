import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { useSession } from '../../parts/session/session.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import { stateKeys, stateOf } from './explore-url.ts'

export type View = Result<(typeof platformContract)['endpoints']['views']>[number]

const changed = () => Promise.all([stale(api.platform.views), stale(api.platform.view)])

/** Saved views of the organization: own and shared. */
export function useViews() {
  const org = useSession().organization.resourceId
  return useQuery(query(api.platform.views, { params: { org } }))
}

/** The view that the address names; its state is put into the address once, where that has none. */
export function useOpenView() {
  const org = useSession().organization.resourceId
  const [search, change] = useSearch()
  const id = one(search['view'])
  const found = useQuery({
    ...query(api.platform.view, { params: { org, view: id ?? '' } }),
    enabled: id !== undefined,
  })
  const { data: view } = found
  const untouched = stateKeys.every((key) => search[key] === undefined)
  useEffect(() => {
    if (view && untouched) void change(view.query)
  }, [view, untouched, change])
  if (id === undefined) return { view: undefined, error: null, changed: false }
  const kept = view && JSON.stringify(sorted(view.query))
  return {
    view,
    error: found.error,
    /** The page shows something else than what was saved. */
    changed: kept !== undefined && !untouched && kept !== JSON.stringify(sorted(stateOf(search))),
  }
}

const sorted = (state: Record<string, unknown>) =>
  Object.entries(state).toSorted(([a], [b]) => a.localeCompare(b))

/** Show a view in the place of what is shown. */
export function useShowView() {
  const [, change] = useSearch()
  return (view: View) =>
    change(
      {
        ...Object.fromEntries([...stateKeys, 'paused'].map((key) => [key, undefined])),
        ...view.query,
        view: view.id,
      },
      { push: true },
    )
}

type ViewFields = { name: string; description: string; shared: boolean }

/** Save what is shown as a view, or over one. */
export function useSaveView(view: View | undefined, onDone: (saved: View) => void) {
  const org = useSession().organization.resourceId
  const [search] = useSearch()
  return useMutation({
    mutationFn: (fields: ViewFields) =>
      view
        ? api.platform.updateView({
            params: { org, view: view.id },
            body: { ...fields, query: stateOf(search), version: view.version },
          })
        : api.platform.createView({
            params: { org },
            body: { ...fields, query: stateOf(search) },
          }),
    onSuccess: async (saved) => {
      await changed()
      onDone(saved)
    },
  })
}

/** Take a view away; `restore` makes it again. */
export function useDeleteView() {
  const org = useSession().organization.resourceId
  return useMutation({
    mutationFn: async (view: View) => {
      await api.platform.deleteView({ params: { org, view: view.id } })
      await changed()
      const { name, description, shared, query: state } = view
      return {
        restore: async () => {
          await api.platform.createView({
            params: { org },
            body: { name, description, shared, query: state },
          })
          await changed()
        },
      }
    },
  })
}
