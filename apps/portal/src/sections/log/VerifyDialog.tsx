import type { auditContract } from '@longreach/audit/contract'
import type { Result } from '@longreach/kit/contract'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Progress } from '@mantine/core'
import { IconAlertTriangle, IconShieldCheck } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { query } from '../../parts/api/api.ts'
import { queries } from '../../parts/api/queries.ts'
import { auditApi } from '../../parts/audit/audit-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './log.module.css'

type Verification = Result<(typeof auditContract)['endpoints']['verification']>

const askAgainMs = 700

/** Starts a check of the whole chain, shows how far it is, and what it found. */
export function VerifyDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useSession().organization.resourceId
  const known = query(auditApi.verification, { query: { organization } })
  const { data, error } = useQuery({
    ...known,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? askAgainMs : false),
  })
  const start = useMutation({
    mutationFn: () => auditApi.verify({ query: { organization } }),
    onSuccess: (begun) => queries.setQueryData(known.queryKey, begun),
  })
  const failure = start.error ?? error
  return (
    <Dialog onClose={onClose} title={t('log.verify.title')}>
      <div className={classes.form}>
        <p className={classes.dim}>{t('log.verify.text')}</p>
        {failure && <ErrorPanel {...errorText(failure)} />}
        {data && <Found found={data} />}
        <div className={classes.end}>
          <Button
            data-autofocus
            loading={start.isPending || data?.state === 'running'}
            onClick={() => start.mutate()}
          >
            {t('log.verify.start')}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}

function Found({ found: { state, progress, fault, finishedAt } }: { found: Verification }) {
  const t = useWords()
  if (state === 'running')
    return (
      <div role="status">
        <span>{t('log.verify.running', { share: progress })}</span>
        <Progress value={progress * 100} aria-label={t('log.verify.title')} />
      </div>
    )
  const Icon = state === 'broken' ? IconAlertTriangle : IconShieldCheck
  return (
    <div role="status" className={classes.state} data-state={state}>
      <Icon size={18} stroke={1.8} />
      <div className={classes.form} style={{ gap: 4 }}>
        {fault ? (
          <>
            <strong>{t('log.verify.broken', { seq: fault.seq })}</strong>
            <span>{t(`log.fault.${fault.kind}`)}</span>
          </>
        ) : (
          <span>{t(state === 'never' ? 'log.verify.never' : 'log.verify.intact')}</span>
        )}
        {finishedAt && (
          <span className={classes.dim}>
            {t('log.verify.when')}: <RelativeTime at={finishedAt} />
          </span>
        )}
      </div>
    </div>
  )
}
