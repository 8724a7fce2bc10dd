import { TriggerFrame } from '../TriggerFrame.tsx'
import { TriggerActivity } from './TriggerActivity.tsx'

/** One trigger: how often it fired, and its runs. */
export function Component() {
  return <TriggerFrame>{(trigger) => <TriggerActivity trigger={trigger} />}</TriggerFrame>
}
