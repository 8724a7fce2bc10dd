import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type Trigger, useTriggerOrganization } from './trigger-calls.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'

type Props = { trigger: Trigger; onClose: () => void }

/** Deletes a trigger after saying what goes with it. */
export function DeleteTrigger({ trigger, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const navigate = useNavigate()
  const query = useTriggerOrganization()
  const remove = useMutation({
    mutationFn: () => triggersApi.deleteTrigger({ params: { id: trigger.id }, query }),
    onSuccess: async () => {
      onClose()
      await navigate({ to: '/trigger' })
      void stale(triggersApi.triggers)
    },
  })
  return (
    <ConfirmDialog
      title={t('trigger.deleteTitle', { name: trigger.name })}
      verb={t('trigger.delete')}
      danger
      pending={remove.isPending}
      error={remove.error ? errorText(remove.error).message : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('trigger.deleteText')}
    </ConfirmDialog>
  )
}
