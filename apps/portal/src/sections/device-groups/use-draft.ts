import { useState } from 'react'
import { inBrowser } from '../../parts/kept/remembered.ts'
import { type Draft, noChange } from './draft-rules.ts'

/** The changes to a group that are not saved yet; they are still there when the person comes back. */
export function useDraft(org: string, policy: string) {
  const key = `deviceGroup.${org}.${policy}`
  const [draft, setDraft] = useState(() => inBrowser.get<Draft>(key, noChange))
  const change = (next: Draft) => {
    inBrowser.set(key, next)
    setDraft(next)
  }
  return [draft, change] as const
}
