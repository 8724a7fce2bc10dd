import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useSession } from '../../../parts/session/session.ts'

type Props = {
  name: string
  uses: { here: number; below: number }
  isPending: boolean
  /** Refusal of the change, in words. */
  error: string | undefined
  onForbid: () => void
  onClose: () => void
}

/** Asks before a kind of action is switched off, and says what that does to triggers. */
export function ForbidDialog({ name, uses, isPending, error, onForbid, onClose }: Props) {
  const t = useWords()
  const { organization } = useSession()
  return (
    <ConfirmDialog
      title={t('trigger-actions.forbidTitle', { name })}
      verb={t('trigger-actions.forbid')}
      danger
      pending={isPending}
      error={error}
      onConfirm={onForbid}
      onClose={onClose}
    >
      {t('trigger-actions.forbidText', {
        organization: organization.label,
        count: uses.here + uses.below,
      })}
    </ConfirmDialog>
  )
}
