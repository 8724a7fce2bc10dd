import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useErrorText } from '../../parts/words/error-text.ts'

type Props = { name: string; text: string; remove: () => Promise<void>; onClose: () => void }

/** Asks before a rule or a channel is deleted. */
export function RemovalDialog({ name, text, remove, onClose }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const removal = useMutation({ mutationFn: remove, onSuccess: onClose })
  return (
    <ConfirmDialog
      title={t('notifications-admin.deleteTitle', { name })}
      verb={t('notifications-admin.delete')}
      danger
      pending={removal.isPending}
      error={removal.error ? errorText(removal.error).message : undefined}
      onConfirm={() => removal.mutate()}
      onClose={onClose}
    >
      {text}
    </ConfirmDialog>
  )
}
