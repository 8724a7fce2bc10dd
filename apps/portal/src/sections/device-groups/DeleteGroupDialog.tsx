import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { AppError } from '@longreach/kit/errors'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { groupsChanged } from './group-calls.ts'

type Props = { group: { id: number; name: string }; onClose: () => void; onDeleted: () => void }

/** Deletes a group that nobody is limited to; otherwise says who is. */
export function DeleteGroupDialog({ group, onClose, onDeleted }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const org = useSession().organization.resourceId
  const remove = useMutation({
    mutationFn: () => api.core.deleteSecurityPolicy({ params: { org, policy: String(group.id) } }),
    onSuccess: () => {
      onDeleted()
      return groupsChanged()
    },
  })
  const users = usersOf(remove.error)
  return (
    <ConfirmDialog
      title={t('device-groups.deleteTitle', { name: group.name })}
      verb={t('device-groups.delete')}
      danger
      typed={group.name}
      pending={remove.isPending}
      error={
        users.length > 0
          ? t('device-groups.usedBy', { names: users.join(', ') })
          : remove.error
            ? errorText(remove.error).message
            : undefined
      }
      onConfirm={() => remove.mutate()}
      onClose={onClose}
    >
      <p>{t('device-groups.deleteText')}</p>
    </ConfirmDialog>
  )
}

function usersOf(error: unknown) {
  const named = error instanceof AppError ? error.details['usedBy'] : undefined
  return Array.isArray(named) ? named.map(String) : []
}
