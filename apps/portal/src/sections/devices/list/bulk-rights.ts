import type { MessageId } from '@longreach/ui/use-words'
import type { BulkKind } from './bulk-kinds.ts'

/** Action chosen for a selection. */
export type Doing = BulkKind | 'segment' | 'values'

const update = { right: 'devices:update', word: 'devices.mayNotUpdate' } as const
const group = { right: 'devicegroups:update', word: 'devices.mayNotGroup' } as const
const remove = { right: 'devices:delete', word: 'devices.mayNotDelete' } as const
/** The right that each action takes, and what is said to who lacks it. */
export const bulkRights = {
  addTags: update,
  removeTags: update,
  addToGroup: group,
  removeFromGroup: group,
  setPreset: update,
  setAttribute: update,
  move: remove,
  delete: remove,
} as const satisfies Record<BulkKind, { right: string; word: MessageId }>
