import type { Icon } from '../../parts/pages/section.ts'

/** Something that the palette offers. */
export type Entry = {
  key: string
  label: string
  /** Kind or place, in a few words. */
  note?: string
  /** The newest value of a data point. */
  value?: string
  /** The keys that do the same: `g d`. */
  keys?: string
  icon?: Icon
  run: () => void
  /** The palette stays open after it. */
  stays?: boolean
}
/** Group of entries; its heading is the message `shell.palette.{id}`. */
export type EntryGroup = {
  id: 'recent' | 'actions' | 'pages' | 'devices' | 'values' | 'people' | 'look'
  entries: readonly Entry[]
}
