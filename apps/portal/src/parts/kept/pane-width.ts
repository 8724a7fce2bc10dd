import { useState } from 'react'
import { inBrowser } from './remembered.ts'

/** The width in px that a person gave a pane, kept in this browser; absent: its usual one. */
export function usePaneWidth(pane: string) {
  const key = `pane.${pane}`
  const [width, setWidth] = useState(() => {
    const kept = inBrowser.get<unknown>(key, undefined)
    return typeof kept === 'number' ? kept : undefined
  })
  const change = (next: number | undefined) => {
    inBrowser.set(key, next ?? null)
    setWidth(next)
  }
  return [width, change] as const
}
