import type { MessageId } from '@longreach/ui/use-words'
import type { BulkBody } from '../device-calls.ts'

export type BulkAction = BulkBody['action']
/** Actions with fields to fill in; moving has steps of its own. */
export type ChangeKind = Exclude<BulkAction['kind'], 'restore' | 'move'>
/** Actions on many devices from the list; restoring is done from the trash. */
export type BulkKind = Exclude<BulkAction['kind'], 'restore'>

/** Properties of the dialog of an action on many devices. */
export type BulkProps = {
  count: number
  selection: BulkBody['selection']
  organization: string
  onClose: () => void
  onStarted: () => void
}

/** Fields that a person fills in for an action; each action takes its own part of them. */
export type BulkDraft = {
  tags: string[]
  group: number | undefined
  presetId: string | null
  key: string
  value: string
}
export const emptyDraft: BulkDraft = {
  tags: [],
  group: undefined,
  presetId: null,
  key: '',
  value: '',
}

/** Action of a draft; the message of the missing field if the draft is incomplete. */
export function actionOf(kind: ChangeKind, draft: BulkDraft): BulkAction | MessageId {
  const { tags, group, presetId } = draft
  switch (kind) {
    case 'addTags':
    case 'removeTags':
      return tags.length > 0 ? { kind, tags } : 'devices.tagsNeeded'
    case 'addToGroup':
    case 'removeFromGroup':
      return group === undefined ? 'devices.groupNeeded' : { kind, group }
    case 'setPreset':
      return { kind, presetId }
    case 'setAttribute':
      return attributeOf(draft)
    case 'delete':
      return { kind }
  }
}

function attributeOf({ key: typed, value }: BulkDraft): BulkAction | MessageId {
  const key = typed.trim()
  return key === '' ? 'devices.keyNeeded' : { kind: 'setAttribute', key, value: valueOf(value) }
}

/** Value of a typed text: null, which removes the attribute, for an empty text, else its JSON, else the text. */
export function valueOf(text: string) {
  const trimmed = text.trim()
  if (trimmed === '') return null
  try {
    return JSON.parse(trimmed) as BulkValue
  } catch {
    return trimmed // no JSON: a text
  }
}
type BulkValue = Extract<BulkAction, { kind: 'setAttribute' }>['value']
