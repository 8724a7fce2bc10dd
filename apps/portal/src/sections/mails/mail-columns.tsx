import { ActionButton } from '@longreach/ui/ActionButton'
import type { coreContract } from '@longreach/core/contract'
import type { Result } from '@longreach/kit/contract'
import type { Column } from '@longreach/ui/DataTable'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Tag, type Tone } from '@longreach/ui/StatusDot'
import { useToast } from '@longreach/ui/Toasts'
import { useOptionalWords, useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useMemo } from 'react'
import { api, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useMay, useSession } from '../../parts/session/session.ts'

type Mail = Result<typeof coreContract.endpoints.mails>['content'][number]

const tones: Record<Mail['status'], Tone> = { WAITING: 'info', SENT: 'ok', FAILED: 'alarm' }

/** Columns of the list of mails. */
export function useMailColumns(): Column<Mail>[] {
  const t = useWords()
  const findWords = useOptionalWords()
  return useMemo(
    () => [
      {
        id: 'recipient',
        label: t('mails.recipient'),
        width: 230,
        grow: 2,
        sortable: true,
        fixed: true,
        card: 'title' as const,
        value: ({ recipient }) => recipient,
        cell: ({ recipient }) => recipient,
      },
      {
        id: 'kind',
        label: t('mails.kind'),
        width: 180,
        grow: 1,
        sortable: true,
        card: 'detail' as const,
        value: ({ kind }) => findWords(`mails.kinds.${kind}`) ?? kind,
        cell: ({ kind }) => findWords(`mails.kinds.${kind}`) ?? kind,
      },
      {
        id: 'status',
        label: t('mails.state'),
        width: 120,
        sortable: true,
        card: 'state' as const,
        value: ({ status }) => status,
        cell: ({ status }) => <Tag tone={tones[status]}>{t(`mails.states.${status}`)}</Tag>,
      },
      {
        id: 'error',
        label: t('mails.error'),
        width: 240,
        grow: 2,
        card: 'detail' as const,
        value: ({ error }) => error,
        cell: ({ error }) => <span title={error}>{error || '–'}</span>,
      },
      {
        id: 'attempts',
        label: t('mails.attempts'),
        width: 90,
        sortable: true,
        value: ({ attempts }) => attempts,
        cell: ({ attempts }) => attempts,
      },
      {
        id: 'created',
        label: t('mails.created'),
        width: 130,
        sortable: true,
        value: ({ createdAt }) => createdAt.getTime(),
        cell: ({ createdAt }) => <RelativeTime at={createdAt} />,
      },
      {
        id: 'retry',
        label: t('mails.retry'),
        width: 140,
        card: 'detail' as const,
        cell: (mail) => (mail.status === 'FAILED' ? <Retry mail={mail} /> : null),
      },
    ],
    [t, findWords],
  )
}

function Retry({ mail }: { mail: Mail }) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const allowed = useMay()('users:update')
  const org = useSession().organization.resourceId
  const retry = useMutation({
    mutationFn: () => api.core.retryMail({ params: { org, mail: mail.id }, body: {} }),
    onSuccess: () => stale(api.core.mails),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <ActionButton
      reason={allowed ? undefined : t('mails.mayNot')}
      size="compact-xs"
      variant="default"
      loading={retry.isPending}
      onClick={() => retry.mutate()}
    >
      {t('mails.retry')}
    </ActionButton>
  )
}
