import type { Rule } from '@longreach/rules/rule'
import { createContext, use } from 'react'
import type { Issue } from './rule-calls.ts'
import type { RulePath } from './use-rule-paths.ts'

type Editing = {
  rule: Rule
  /** Changes the field at a place; undefined takes it away. */
  set: (place: string, value: unknown) => void
  edit: (change: (rule: Rule) => Rule) => void
  /** Fault of the field at a place, in words. */
  faultOf: (place: string) => string | undefined
  /** Models of which one may be meant at a place; absent where there is no question. */
  choicesOf: (place: string) => Issue['choices']
  /** Organization of the model that is chosen, where it is another one's than the rule's. */
  modelOwner: string | undefined
  paths: readonly RulePath[]
  /** The rule also judges devices of the organizations below. */
  below: boolean
  setBelow: (below: boolean) => void
  /** The person may not change it. */
  locked: boolean
}

/** Rule that is edited, for its fields. */
export const RuleContext = createContext<Editing | undefined>(undefined)

export function useEditing() {
  const editing = use(RuleContext)
  if (editing === undefined) throw new Error('Fields of a rule need an editor')
  return editing
}
