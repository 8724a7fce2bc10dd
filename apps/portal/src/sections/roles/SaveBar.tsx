import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { useSession } from '../../parts/session/session.ts'
import { ImpactDialog, ImpactLine } from './ImpactDialog.tsx'
import { type Draft, rightsOf, rolesChanged, useImpact } from './role-calls.ts'
import type { Role } from './role-rights.ts'
import classes from './SaveBar.module.css'

type Props = { role: Role; draft: Draft; onDiscard: () => void; onSaved: () => void }

/** Unsaved changes, what they would do to people, and the two ways out. */
export function SaveBar({ role, draft, onDiscard, onSaved }: Props) {
  const t = useWords()
  const toast = useToast()
  const org = useSession().organization.resourceId
  const [asking, setAsking] = useState(false)
  const impact = useImpact(role.id, draft, true)
  const save = useMutation({
    mutationFn: () => {
      const { label, description } = draft
      const body = { label: label.trim(), description, ...rightsOf(draft) }
      return api.core.updateRole({ params: { org, role: role.id }, body })
    },
    onSuccess: async () => {
      await rolesChanged()
      toast({ message: t('roles.saved', { label: draft.label }) })
      onSaved()
    },
    onError: () => setAsking(false),
  })
  const affected = impact.data?.totals.people ?? 0
  const known = impact.data !== undefined && !impact.isPlaceholderData
  const ready = known && draft.label.trim() !== ''
  return (
    <div className={classes.saveBar}>
      <Failures failures={[save.error, impact.error]} onRetry={() => void impact.refetch()} />
      <div className={classes.saveLine}>
        <span role="status" className={classes.saveText}>
          <strong>{t('roles.unsaved')}</strong>
          {impact.data && <ImpactLine totals={impact.data.totals} />}
        </span>
        {affected > 0 && (
          <Button variant="subtle" onClick={() => setAsking(true)}>
            {t('roles.whoIsAffected')}
          </Button>
        )}
        <Button variant="default" onClick={onDiscard}>
          {t('roles.discard')}
        </Button>
        <Button
          loading={save.isPending}
          disabled={!ready}
          onClick={() => (affected > 0 ? setAsking(true) : save.mutate())}
        >
          {t('roles.save')}
        </Button>
      </div>
      {asking && impact.data && (
        <ImpactDialog
          impact={impact.data}
          title={t('roles.saveTitle', { label: role.label })}
          verb={t('roles.save')}
          pending={save.isPending}
          onConfirm={() => save.mutate()}
          onClose={() => setAsking(false)}
        />
      )}
    </div>
  )
}

function Failures({ failures, onRetry }: { failures: unknown[]; onRetry: () => void }) {
  const errorText = useErrorText()
  return failures
    .filter((one) => one !== null)
    .map((one, place) => <ErrorPanel key={place} {...errorText(one)} onRetry={onRetry} />)
}
