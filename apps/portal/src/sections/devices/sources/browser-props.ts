import type { Draft, Tag } from './source-rules.ts'

/** What every way of looking around in a machine is given. */
export type BrowserProps = {
  deviceId: string
  draft: Draft
  replaces?: string
  onChange: (draft: Draft) => void
  onToggle: (tag: Tag) => void
}
