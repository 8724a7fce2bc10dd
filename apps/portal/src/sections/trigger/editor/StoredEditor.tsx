import { useState } from 'react'
import { type Trigger, useMayNotChange } from '../trigger-calls.ts'
import { toTriggerDraft } from './trigger-draft.ts'
import { TriggerEditor } from './TriggerEditor.tsx'

/** Editor of a stored trigger; who may not change it reads it. */
export function StoredEditor({ trigger }: { trigger: Trigger }) {
  // Counters come again and again; only another version begins anew.
  return <OneVersion key={trigger.longreach.version} trigger={trigger} />
}

function OneVersion({ trigger }: { trigger: Trigger }) {
  const [start] = useState(() => toTriggerDraft(trigger))
  const locked = useMayNotChange('update') !== undefined
  return <TriggerEditor stored={trigger} start={start} locked={locked} />
}
