import { ActionButton } from '@longreach/ui/ActionButton'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type Organization, useMay } from '../../parts/session/session.ts'
import { closedBelowQuery, organizationsChanged } from './organization-calls.ts'
import classes from './organizations.module.css'

/** Organizations directly below with private access; where they allow it, it can be lifted from here. */
export function ClosedBelow({ org }: { org: string }) {
  const t = useWords()
  const errorText = useErrorText()
  const [lifting, setLifting] = useState<Organization>()
  const { data, error, refetch } = useQuery(closedBelowQuery(org))
  if (error) return <ErrorPanel {...errorText(error)} onRetry={() => void refetch()} />
  if (!data || data.content.length === 0) return null
  return (
    <>
      <p className={classes.hint}>{t('organizations.closedBelow')}</p>
      <ul className={classes.list} aria-label={t('organizations.closedBelow')}>
        {data.content.map((one) => (
          <li key={one.id} className={classes.row}>
            <span>
              <strong>{one.label || one.name}</strong> {one.resourceId}
            </span>
            <Lift organization={one} onLift={() => setLifting(one)} />
          </li>
        ))}
      </ul>
      {lifting && (
        <LiftDialog org={org} organization={lifting} onClose={() => setLifting(undefined)} />
      )}
    </>
  )
}

function Lift({ organization, onLift }: { organization: Organization; onLift: () => void }) {
  const t = useWords()
  const may = useMay()
  const { label, name, allowDisablePrivateAccess } = organization
  const reason = may('organizations:update')
    ? allowDisablePrivateAccess
      ? undefined
      : t('organizations.liftKept')
    : t('organizations.mayNotUpdate')
  return (
    <ActionButton
      reason={reason}
      variant="default"
      aria-label={t('organizations.liftOf', { label: label || name })}
      onClick={() => onLift()}
    >
      {t('organizations.lift')}
    </ActionButton>
  )
}

type LiftDialogProps = { org: string; organization: Organization; onClose: () => void }

function LiftDialog({ org, organization, onClose }: LiftDialogProps) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const label = organization.label || organization.name
  const lift = useMutation({
    mutationFn: () => api.core.liftPrivateAccess({ params: { org, child: organization.id } }),
    onSuccess: async () => {
      onClose()
      toast({ message: t('organizations.lifted', { label }) })
      await organizationsChanged()
    },
  })
  return (
    <ConfirmDialog
      title={t('organizations.liftTitle', { label })}
      verb={t('organizations.lift')}
      pending={lift.isPending}
      error={lift.error ? errorText(lift.error).message : undefined}
      onConfirm={() => lift.mutate()}
      onClose={onClose}
    >
      <p>{t('organizations.liftText', { label })}</p>
    </ConfirmDialog>
  )
}
