import type { BulkBody } from '../device-calls.ts'

export type BulkAction = BulkBody['action']
/** What a person fills in fields for; moving has steps of its own. */
export type ChangeKind = Exclude<BulkAction['kind'], 'restore' | 'move'>
/** What the list does with many devices; restoring is done from the trash. */
export type BulkKind = Exclude<BulkAction['kind'], 'restore'>

/** What is done to which devices. */
export type BulkProps = {
  count: number
  selection: BulkBody['selection']
  organization: string
  onClose: () => void
  onStarted: () => void
}

/** What a person fills in for an action; each action takes its own part of it. */
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

/** The action that a draft means; the word of what is missing where it means none yet. */
export function actionOf(kind: ChangeKind, draft: BulkDraft): BulkAction | string {
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

function attributeOf({ key: typed, value }: BulkDraft): BulkAction | string {
  const key = typed.trim()
  return key === '' ? 'devices.keyNeeded' : { kind: 'setAttribute', key, value: valueOf(value) }
}

/** What is typed as a value: nothing takes the attribute away, JSON is JSON, all else a text. */
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
