import { StatusDot, type Tone } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { useIntl } from 'react-intl'
import { blockedAmong } from '../allowed/kinds.ts'
import { type Trigger, useBlockedActions } from '../trigger-calls.ts'
import { actionsIn } from './BlockedNotice.tsx'
import classes from './TriggerState.module.css'

type State = Trigger['longreach']['state']

const tones: Record<State, Tone> = {
  active: 'ok',
  disabled: 'off',
  stopped: 'alarm',
  blocked: 'warning',
}

/** State of a trigger by shape and word; one that runs says which of its actions do not. */
export function TriggerState({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const { locale } = useIntl()
  const { data } = useBlockedActions()
  const { state } = trigger.longreach
  const blocked = state === 'active' ? blockedAmong(actionsIn(trigger), data) : []
  if (blocked.length === 0) {
    return <StatusDot tone={tones[state]}>{t(`trigger.stateOf.${state}`)}</StatusDot>
  }
  const names = new Intl.ListFormat(locale).format(blocked.map((kind) => t(`trigger.kind.${kind}`)))
  const text = t('trigger.without', { names })
  return (
    <span className={classes.state} title={text}>
      <StatusDot tone="warning">
        <span className={classes.text}>{text}</span>
      </StatusDot>
    </span>
  )
}
