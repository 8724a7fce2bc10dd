import { useState } from 'react'
import { type Trigger, useMayNotChange } from '../trigger-calls.ts'
import { toTriggerDraft } from './trigger-draft.ts'
import { TriggerEditor } from './TriggerEditor.tsx'

/** Editor of a stored trigger; a newer version does not take away what is typed. */
export function StoredEditor({ trigger }: { trigger: Trigger }) {
  const [edited, setEdited] = useState<Trigger>()
  const shown = edited ?? trigger
  return (
    <OneVersion
      key={shown.longreach.version}
      trigger={shown}
      onTouch={(is) => setEdited(is ? shown : undefined)}
    />
  )
}

type Props = { trigger: Trigger; onTouch: (is: boolean) => void }

function OneVersion({ trigger, onTouch }: Props) {
  const [start] = useState(() => toTriggerDraft(trigger))
  const locked = useMayNotChange('update') !== undefined
  return <TriggerEditor stored={trigger} start={start} locked={locked} onTouch={onTouch} />
}
