import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { toTriggerDraft, toPosted } from '../editor/trigger-draft.ts'
import {
  renewTriggers,
  type Trigger,
  useMayNotChange,
  useTriggerOrganization,
} from '../trigger-calls.ts'
import { triggersApi } from '../../../parts/triggers/triggers-api.ts'
import { SwitchControl } from './SwitchControl.tsx'

/** Switches a trigger on and off where it stands in the list. */
export function TriggerSwitch({ trigger }: { trigger: Trigger }) {
  const t = useWords()
  const reason = useMayNotChange('update')
  const change = useSwitch(trigger)
  return (
    <SwitchControl
      label={t('trigger.switch', { name: trigger.name })}
      isOn={!(change.isPending ? !trigger.disabled : trigger.disabled)}
      reason={reason && t(reason)}
      isPending={change.isPending}
      onTurn={() => change.mutate()}
    />
  )
}

/** Turns a trigger on if it is off, and off if it is on, unless somebody else has saved it meanwhile. */
export function useSwitch(trigger: Trigger) {
  const toast = useToast()
  const errorText = useErrorText()
  const query = useTriggerOrganization()
  return useMutation({
    mutationFn: () => {
      const draft = { ...toTriggerDraft(trigger), disabled: !trigger.disabled }
      const body = toPosted(draft, trigger.longreach.version)
      return triggersApi.replaceTrigger({ params: { id: trigger.id }, query, body })
    },
    onSettled: renewTriggers,
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
}
