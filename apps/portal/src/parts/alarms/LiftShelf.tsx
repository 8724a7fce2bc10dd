import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useSession } from '../session/session.ts'
import { useReach } from '../session/reach.ts'
import { useErrorText } from '../words/error-text.ts'
import { alarmsApi } from './alarm-calls.ts'
import { renewShelves, type Shelf } from './shelf-calls.ts'

type Props = { shelf: Shelf; name: string; onClose: () => void; onLifted?: () => void }

/** Asks before a shelf is lifted, and says for whom it ends. */
export function LiftShelf({ shelf, name, onClose, onLifted }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const reach = useReach()
  const here = useSession().organization
  const lift = useMutation({
    mutationFn: () =>
      alarmsApi.liftShelf({ params: { id: shelf.id }, query: { organization: reach } }),
    onSuccess: () => {
      renewShelves()
      toast({ message: t('alarm-shelves.lifted', { name }) })
      onLifted?.()
      onClose()
    },
  })
  return (
    <ConfirmDialog
      title={t('alarm-shelves.liftTitle', { name })}
      verb={t('alarm-shelves.lift')}
      pending={lift.isPending}
      error={lift.error ? errorText(lift.error).message : undefined}
      onConfirm={() => lift.mutate()}
      onClose={onClose}
    >
      <p>
        {shelf.fromAbove
          ? t('alarm-shelves.liftAbove', { by: shelf.by, organization: here.label })
          : t('alarm-shelves.liftText', { count: shelf.held })}
      </p>
    </ConfirmDialog>
  )
}
