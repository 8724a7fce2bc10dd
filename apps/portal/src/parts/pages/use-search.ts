import { useNavigate, useSearch as useRouterSearch } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { Search } from './section.ts'

type Change = Record<string, string | number | string[] | undefined>

/**
 * The part of the page's state that lives in the address, and a way to change some of it.
 * Undefined or an empty text takes a key away. `push` makes a step in the history; the default replaces it.
 */
export function useSearch() {
  const search: Search = useRouterSearch({ strict: false })
  const navigate = useNavigate()
  const change = useCallback(
    (patch: Change, { push = false }: { push?: boolean } = {}) =>
      navigate({
        to: '.',
        replace: !push,
        resetScroll: false,
        search: (before: Search) => patchSearch(before, patch),
      } as Parameters<typeof navigate>[0]), // the route tree is made from data, so the router knows no types
    [navigate],
  )
  return [search, change] as const
}

/** One value of a key, the first when it is repeated. */
export const one = (value: string | string[] | undefined) =>
  Array.isArray(value) ? value[0] : value

/** All values of a key. */
export const all = (value: string | string[] | undefined) =>
  value === undefined ? [] : Array.isArray(value) ? value : [value]

function patchSearch(before: Search, patch: Change): Search {
  const next: Search = { ...before }
  for (const [key, value] of Object.entries(patch)) {
    if (value === undefined || value === '') delete next[key]
    else next[key] = Array.isArray(value) ? value : String(value)
  }
  return next
}
