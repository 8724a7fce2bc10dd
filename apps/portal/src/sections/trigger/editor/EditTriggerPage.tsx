import { TriggerFrame } from '../TriggerFrame.tsx'
import { StoredEditor } from './StoredEditor.tsx'

/** One trigger in its editor. */
export function Component() {
  return <TriggerFrame isEditor>{(trigger) => <StoredEditor trigger={trigger} />}</TriggerFrame>
}
