import { ActionButton } from '@longreach/ui/ActionButton'
import { useToast } from '@longreach/ui/Toasts'
import type { Translate } from '@longreach/ui/use-words'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMay } from '../../parts/session/session.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import type { LogLine } from './log-source.ts'

/** Button that sends a failed message again; nothing for other lines. */
export function LineAgain({ line: { again }, t }: { line: LogLine; t: Translate }) {
  const may = useMay()
  const toast = useToast()
  const errorText = useErrorText()
  const cache = useQueryClient()
  const run = useMutation({
    mutationFn: async () => again?.send(),
    onSuccess: async () => {
      toast({ message: t('whole-log.sentAgain') })
      await cache.invalidateQueries({ queryKey: ['log'] })
    },
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  if (!again) return null
  return (
    <ActionButton
      size="compact-xs"
      variant="default"
      reason={may(again.needs) ? undefined : t('whole-log.mayNotSend')}
      loading={run.isPending}
      onClick={() => run.mutate()}
    >
      {t('whole-log.again')}
    </ActionButton>
  )
}
