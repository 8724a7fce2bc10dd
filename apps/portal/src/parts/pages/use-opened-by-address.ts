import { useState } from 'react'
import { one, useSearch } from './use-search.ts'

/** State of a dialog, opened by its button or by `add=…` in the address; closing it removes that from the address. */
export function useOpenedByAddress(name: string) {
  const [search, change] = useSearch()
  const [opened, setOpened] = useState(false)
  const byAddress = one(search['add']) === name
  const set = (open: boolean) => {
    setOpened(open)
    if (!open && byAddress) void change({ add: undefined })
  }
  return [opened || byAddress, set] as const
}
