import type { Draft, Tag } from './source-rules.ts'

/** Properties of every browser of a machine's tags. */
export type BrowserProps = {
  deviceId: string
  draft: Draft
  replaces?: string
  onChange: (draft: Draft) => void
  onToggle: (tag: Tag) => void
}
