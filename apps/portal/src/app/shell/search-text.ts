import type { Search } from '../../parts/pages/section.ts'

/** Plain query strings: the router's default reads `1.10` as a number. */
export function parseSearch(text: string): Search {
  const search: Search = {}
  for (const [key, value] of new URLSearchParams(text)) {
    const before = search[key]
    search[key] = before === undefined ? value : [before, value].flat()
  }
  return search
}

export function stringifySearch(search: Search) {
  const parameters = new URLSearchParams()
  for (const [key, value] of Object.entries(search)) {
    for (const one of [value ?? []].flat()) parameters.append(key, one)
  }
  return parameters.size > 0 ? `?${parameters}` : ''
}
