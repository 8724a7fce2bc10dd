import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Effects } from './Effects.tsx'
import classes from './SaveChanges.module.css'
import type { OrganizationForm } from './use-organization-form.ts'

type Props = { form: OrganizationForm; label: string }

/** Unsaved changes and the two ways out; what hurts somebody is asked once more. */
export function SaveChanges({ form, label }: Props) {
  const t = useWords()
  const [asking, setAsking] = useState(false)
  const { change, save, effects, failure, unclear, known } = form
  if (change === undefined) return null
  const locked = effects.some(({ effect }) => effect === 'locks_you_out')
  const harmless = effects.every(({ effect }) => effect === 'people_let_in')
  const atField = failure !== undefined && Object.keys(failure.fields).length > 0
  const confirm = () =>
    save.mutate(locked, {
      onSettled: () => setAsking(false),
    })
  return (
    <>
      {failure && !atField && !asking && <ErrorPanel {...failure} />}
      {unclear && <ErrorPanel {...unclear} />}
      <div className={classes.saveBar}>
        <strong role="status">{t('organizations.unsaved')}</strong>
        <Button variant="default" onClick={form.reset}>
          {t('organizations.discard')}
        </Button>
        <Button
          type="submit"
          loading={save.isPending}
          disabled={!known && unclear === undefined}
          onClick={(event) => {
            event.preventDefault()
            if (harmless) save.mutate(false)
            else setAsking(true)
          }}
        >
          {t('organizations.save')}
        </Button>
      </div>
      {asking && (
        <ConfirmDialog
          title={t('organizations.saveTitle', { label })}
          verb={t(locked ? 'organizations.saveLocked' : 'organizations.saveAnyway')}
          danger
          {...(locked && { typed: label })}
          pending={save.isPending}
          error={failure?.message}
          onConfirm={confirm}
          onClose={() => setAsking(false)}
        >
          <Effects effects={effects} />
        </ConfirmDialog>
      )}
    </>
  )
}
