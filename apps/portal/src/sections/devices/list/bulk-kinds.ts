import type { BulkBody } from '../device-calls.ts'

export type BulkAction = BulkBody['action']
/** What the list does with many devices; restoring is done from the trash. */
export type BulkKind = Exclude<BulkAction['kind'], 'restore'>

/** What a person fills in for an action; each action takes its own part of it. */
export type BulkDraft = {
  tags: string[]
  group: number | undefined
  presetId: string | null
  key: string
  value: string
  tokens: string
}
export const emptyDraft: BulkDraft = {
  tags: [],
  group: undefined,
  presetId: null,
  key: '',
  value: '',
  tokens: '',
}

/** The action that a draft means; the word of what is missing where it means none yet. */
export function actionOf(kind: BulkKind, draft: BulkDraft, count: number): BulkAction | string {
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
    case 'move':
      return moveOf(draft, count)
    case 'delete':
      return { kind }
  }
}

function attributeOf({ key: typed, value }: BulkDraft): BulkAction | string {
  const key = typed.trim()
  return key === '' ? 'devices.keyNeeded' : { kind: 'setAttribute', key, value: valueOf(value) }
}

function moveOf({ tokens: text }: BulkDraft, count: number): BulkAction | string {
  const tokens = tokensOf(text)
  return tokens.length < count ? 'devices.tokensNeeded' : { kind: 'move', tokens }
}

/** One token a line, each once. */
const tokensOf = (text: string) => [...new Set(text.split(/\s+/).filter((token) => token !== ''))]

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
