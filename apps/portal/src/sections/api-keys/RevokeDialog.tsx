import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type ApiKey, keysChanged } from './api-key-calls.ts'

type Props = { apiKey: ApiKey; onClose: () => void; onRevoked: () => void }

/** Ends a key for good; programs that use it stop at once. */
export function RevokeDialog({ apiKey, onClose, onRevoked }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const revoke = useMutation({
    mutationFn: () =>
      api.core.deleteApiKey({
        params: { org: apiKey.orgResourceId, apiKey: String(apiKey.id) },
      }),
    onSuccess: () => {
      onRevoked()
      return keysChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('api-keys.revokeTitle', { label: apiKey.label })}
      verb={t('api-keys.revoke')}
      danger
      typed={apiKey.label}
      pending={revoke.isPending}
      error={revoke.error ? errorText(revoke.error).message : undefined}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    >
      <p>{t('api-keys.revokeText')}</p>
      {apiKey.lastUsedAt && (
        <p>
          {t('api-keys.used')}: <RelativeTime at={apiKey.lastUsedAt} />
        </p>
      )}
    </ConfirmDialog>
  )
}
