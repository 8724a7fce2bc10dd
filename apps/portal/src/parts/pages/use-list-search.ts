import { one, useSearch } from './use-search.ts'

/** The text that a list is searched by, which is `q` in the address; with `field` for its search field. */
export function useListSearch() {
  const [search, change] = useSearch()
  const text = one(search['q']) ?? ''
  const onText = (q: string) => void change({ q })
  return { text, field: { text, onText }, clear: () => onText('') }
}

/** Check of texts: one contains the searched one, in any case. */
export function isFoundIn(texts: readonly string[], searched: string) {
  const part = searched.trim().toLocaleLowerCase()
  return texts.some((text) => text.toLocaleLowerCase().includes(part))
}
