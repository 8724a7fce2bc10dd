import { createContext, use } from 'react'
import { valueAt } from '../../../parts/forms/draft-places.ts'
import type { TriggerDraft } from './trigger-draft.ts'

type EditedTrigger = {
  draft: TriggerDraft
  /** Changes the field at a place; undefined takes it away. */
  set: (place: string, value: unknown) => void
  edit: (change: (draft: TriggerDraft) => TriggerDraft) => void
  /** Fault of the field at a place, in words. */
  faultOf: (place: string) => string | undefined
  /** Secrets that the server keeps: `<uuid of the action>/token`. */
  secrets: ReadonlySet<string>
  /** The person may not change it. */
  locked: boolean
}

/** Trigger that is edited, for its fields. */
export const TriggerContext = createContext<EditedTrigger | undefined>(undefined)

export function useEditedTrigger() {
  const edited = use(TriggerContext)
  if (edited === undefined) throw new Error('Fields of a trigger need an editor')
  return edited
}

export type TriggerFieldProps = { place: string; label: string; help?: string | undefined }

/** Element of the field at a place, to which the words of the sentence lead. */
export const fieldId = (place: string) => `trigger-${place}`

/** Value of a field, and the properties that every field has: label, fault, and whether it may be changed. */
export function useTriggerField({ place, label, help }: TriggerFieldProps) {
  const { draft, set, faultOf, locked } = useEditedTrigger()
  return {
    value: valueAt(draft, place),
    set: (value: unknown) => set(place, value),
    common: {
      id: fieldId(place),
      label,
      error: faultOf(place),
      disabled: locked,
      ...(help !== undefined && { description: help }),
    },
  }
}
