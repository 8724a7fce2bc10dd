import { FormShell } from '@longreach/ui/FormShell'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { NumberInput, Radio, Stack } from '@mantine/core'
import type { auditContract } from '@longreach/audit/contract'
import type { Result } from '@longreach/kit/contract'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type RefObject, useRef, useState } from 'react'
import { query, stale } from '../../parts/api/api.ts'
import { auditApi } from '../../parts/audit/audit-calls.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import classes from './log.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'

type Retention = Result<(typeof auditContract)['endpoints']['retention']>

/** Dialog of the retention of the organization's log lines: inherited, or a number of days of its own. */
export function RetentionDialog({ onClose }: { onClose: () => void }) {
  const t = useWords()
  const organization = useSession().organization.resourceId
  const { data, error, refetch } = useQuery(query(auditApi.retention, { query: { organization } }))
  return (
    <Dialog onClose={onClose} title={t('log.retention')}>
      {data ? (
        <RetentionForm known={data} organization={organization} onClose={onClose} />
      ) : (
        <ContentPending {...{ error, refetch }} rows={4} />
      )}
    </Dialog>
  )
}

type FormProps = { known: Retention; organization: string; onClose: () => void }

function RetentionForm({ known, organization, onClose }: FormProps) {
  const t = useWords()
  const [own, setOwn] = useState(known.own !== null)
  const [days, setDays] = useState<number | string>(known.own ?? known.days)
  const field = useRef<HTMLInputElement>(null)
  const save = useMutation({
    mutationFn: () =>
      auditApi.setRetention({ query: { organization }, body: { days: own ? Number(days) : null } }),
    onSuccess: async () => {
      await stale(auditApi.retention)
      onClose()
    },
  })
  const failure = useFailure(save.error)
  const right = isWithin(days, known)
  return (
    <FormShell
      verb={t('log.retention.save')}
      pending={save.isPending}
      error={failure.general}
      onCancel={onClose}
      onSubmit={() => {
        if (own && !right) field.current?.focus()
        else save.mutate()
      }}
    >
      <p className={classes.dim}>{t('log.retention.text')}</p>
      <Radio.Group
        label={t('log.retention')}
        value={own ? 'own' : 'above'}
        onChange={(value) => setOwn(value === 'own')}
      >
        <Stack gap={8} mt={6}>
          <Radio value="above" label={<Above known={known} />} />
          <Radio value="own" label={t('log.retention.own')} />
        </Stack>
      </Radio.Group>
      {own && (
        <DaysField ref={field} known={known} days={days} onChange={setDays} error={failure.days} />
      )}
      {known.oldest && (
        <p className={classes.dim}>
          {t('log.retention.oldest')}: <RelativeTime at={known.oldest} />
        </p>
      )}
      {own && right && <Loss days={Number(days)} oldest={known.oldest} />}
    </FormShell>
  )
}

const isWithin = (days: number | string, { least, most }: Retention) =>
  typeof days === 'number' && Number.isInteger(days) && days >= least && days <= most

/** Messages of the server's refusal, for the field and for the form. */
function useFailure(error: unknown) {
  const errorText = useErrorText()
  if (!error) return { days: undefined, general: undefined }
  const { message, fields } = errorText(error)
  const { days } = fields
  return { days, general: days === undefined ? message : undefined }
}

type DaysProps = {
  ref: RefObject<HTMLInputElement | null>
  known: Retention
  days: number | string
  onChange: (days: number | string) => void
  error: string | undefined
}

function DaysField({ ref, known, days, onChange, error }: DaysProps) {
  const t = useWords()
  const { least, most } = known
  const limits = t('log.retention.limits', { least, most })
  return (
    <NumberInput
      ref={ref}
      label={t('log.retention.days')}
      description={limits}
      value={days}
      min={least}
      max={most}
      clampBehavior="none"
      allowDecimal={false}
      error={error ?? (isWithin(days, known) ? undefined : limits)}
      onChange={onChange}
    />
  )
}

/** Retention that holds without an own choice; its days are not known while there is one. */
function Above({ known: { own, days, from } }: { known: Retention }) {
  const t = useWords()
  if (own !== null) return <>{t('log.retention.above')}</>
  if (from === null) return <>{t('log.retention.usual', { days })}</>
  return <>{t('log.retention.inherited', { days, from })}</>
}

function Loss({ days, oldest }: { days: number; oldest: Date | null }) {
  const t = useWords()
  const [now] = useState(() => Date.now())
  const date = new Date(now - days * 86_400_000)
  if (oldest === null || oldest >= date) return null
  return (
    <div role="status" className={classes.state} data-state="broken">
      {t('log.retention.loss', { date })}
    </div>
  )
}
