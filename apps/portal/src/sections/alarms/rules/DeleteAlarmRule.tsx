import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { alarmsApi } from '../../../parts/alarms/alarm-calls.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { renewRules, ruleOf, type StoredRule, useRuleOrganization } from './rule-calls.ts'

/** Deletes a rule after saying what becomes of its open alarms. */
export function DeleteAlarmRule({ stored, onClose }: { stored: StoredRule; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const here = useRuleOrganization()
  const remove = useMutation({
    mutationFn: () => alarmsApi.deleteRule({ params: { id: stored.id }, query: here }),
    onSuccess: async () => {
      onClose()
      await navigate({ to: '/alarms/rules' })
      renewRules()
    },
  })
  return (
    <ConfirmDialog
      title={t('alarm-rules.deleteTitle', { name: ruleOf(stored).name })}
      verb={t('alarm-rules.delete')}
      danger
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('alarm-rules.deleteText', { count: stored.open })}
    </ConfirmDialog>
  )
}
