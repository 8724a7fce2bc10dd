import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import type { RuleOverride } from './override-draft.ts'
import { OverrideDialog } from './OverrideDialog.tsx'
import { renewRules, ruleOf, type StoredRule, useRuleReach } from './rule-calls.ts'

type Props = {
  stored: StoredRule
  device: { id: string; label: string }
  present: RuleOverride | undefined
}

/** Buttons that change what is different from a rule on a device, and take it away. */
export function OverrideActions({ stored, device, present }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const query = useRuleReach()
  const [editing, setEditing] = useState(false)
  const remove = useMutation({
    mutationFn: () =>
      alarmsApi.deleteOverride({ params: { id: stored.id, deviceId: device.id }, query }),
    onSuccess: () => {
      renewRules()
      toast({ message: t('rule-tools.overrideGone', { device: device.label }) })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  const names = { rule: ruleOf(stored).name, device: device.label }
  return (
    <span>
      <Button
        variant="subtle"
        size="compact-sm"
        aria-label={t('rule-tools.changeOf', names)}
        onClick={() => setEditing(true)}
      >
        {t('rule-tools.change')}
      </Button>
      {present && (
        <Button
          variant="subtle"
          color="gray"
          size="compact-sm"
          aria-label={t('rule-tools.removeOf', names)}
          loading={remove.isPending}
          onClick={() => remove.mutate()}
        >
          {t('rule-tools.remove')}
        </Button>
      )}
      {editing && (
        <OverrideDialog {...{ stored, device, present }} onClose={() => setEditing(false)} />
      )}
    </span>
  )
}
