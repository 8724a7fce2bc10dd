import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import type { Trigger } from '../trigger-calls.ts'

type State = Trigger['longreach']['state']

const tones: Record<State, Tone> = {
  active: 'ok',
  disabled: 'off',
  stopped: 'alarm',
  blocked: 'warning',
}

/** State of a trigger by shape and word. */
export function TriggerState({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const { state } = trigger.longreach
  return <StatusDot tone={tones[state]}>{t(`trigger.stateOf.${state}`)}</StatusDot>
}
