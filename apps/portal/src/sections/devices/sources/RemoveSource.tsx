import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { SourceListing } from './agent-answers.ts'
import { useAgentCommand, useAgentErrorText } from './agent-calls.ts'

type Props = {
  deviceId: string
  version: number
  name: string
  onClose: () => void
  onRemoved: (listing: SourceListing) => void
}

/** Asks before a gateway stops to read a machine. */
export function RemoveSource({ deviceId, version, name, onClose, onRemoved }: Props) {
  const t = useWords()
  const ask = useAgentCommand(deviceId)
  const text = useAgentErrorText()
  const remove = useMutation({
    mutationFn: () => ask({ command: 'sources.remove', input: { version, name } }, SourceListing),
    onSuccess: onRemoved,
  })
  return (
    <ConfirmDialog
      title={t('gateway.remove', { name })}
      verb={t('gateway.removeVerb')}
      danger
      pending={remove.isPending}
      error={remove.error ? text(remove.error, t('gateway.noAnswer')) : undefined}
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      {t('gateway.removeText')}
    </ConfirmDialog>
  )
}
