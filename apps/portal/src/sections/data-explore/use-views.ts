import type { Result } from '@longreach/kit/contract'
import type { platformContract } from '@longreach/platform/contract'
import { useWords } from '@longreach/ui/use-words'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { one, useSearch } from '../../parts/pages/use-search.ts'
import type { SavedViews } from '../../parts/saved-views/saved-views.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { stateKeys, stateOf } from './explore-url.ts'

type View = Result<(typeof platformContract)['endpoints']['views']>[number]

const renewViews = () => Promise.all([stale(api.platform.views), stale(api.platform.view)])

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

/** Saved views for the menu of the page. */
export function useSavedViews(
  { view, changed }: ReturnType<typeof useOpenView>,
  canSave: boolean,
): SavedViews<View> {
  const t = useWords()
  const org = useSession().organization.resourceId
  const isAllowed = useMay()('devices:update')
  const { data: views = [] } = useViews()
  const [search] = useSearch()
  const show = useShowView()
  return {
    views,
    open: view,
    isChanged: changed,
    canSave,
    hasDescriptions: true,
    sharing: {
      isAllowed,
      text: t(isAllowed ? 'data-explore.shareViewText' : 'data-explore.mayNotShare'),
    },
    show: (chosen) => void show(chosen),
    async save(over, fields) {
      const body = { ...fields, query: stateOf(search) }
      const saved = await (over
        ? api.platform.updateView({
            params: { org, view: over.id },
            body: { ...body, version: over.version },
          })
        : api.platform.createView({ params: { org }, body }))
      await renewViews()
      return saved
    },
    async remove({ id, name, description, shared, query: state }) {
      await api.platform.deleteView({ params: { org, view: id } })
      await renewViews()
      return async () => {
        const body = { name, description, shared, query: state }
        await api.platform.createView({ params: { org }, body })
        await renewViews()
      }
    },
  }
}
