import { Checkbox } from '@mantine/core'
import type { Result } from '@longreach/kit/contract'
import type { mappingsContract } from '@longreach/mappings/contract'
import { ConfirmDialog } from '@longreach/ui/ConfirmDialog'
import { useWords } from '@longreach/ui/use-words'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../../parts/api/api.ts'
import { useErrorText } from '../../../parts/words/error-text.ts'
import { watchJob } from '../../../parts/jobs/jobs.ts'
import { MoveItems } from '../MoveDeviceDialog.tsx'
import { MoveTokenForm } from '../MoveTokenForm.tsx'
import type { BulkProps } from './bulk-kinds.ts'
import { whenDone } from './bulk-watch.ts'

type Check = Result<(typeof mappingsContract)['endpoints']['checkMove']>

/** Gives many devices to another organization: its token first, then what that means, then the move. */
export function MoveManyDialog(props: BulkProps) {
  const { selection, organization, onClose } = props
  const t = useWords()
  const look = useMutation({
    mutationFn: (token: string) =>
      api.mappings.checkMove({ query: { organization }, body: { selection, token } }),
  })
  if (look.data) return <Confirm {...props} token={look.variables} check={look.data} />
  return (
    <MoveTokenForm
      title={t('devices.bulk.move')}
      help={t('devices.moveManyHelp')}
      field="token"
      look={look}
      onToken={look.mutate}
      onClose={onClose}
    />
  )
}

type ConfirmProps = BulkProps & { token: string; check: Check }

function Confirm({ token, check, selection, organization, onClose, onStarted }: ConfirmProps) {
  const t = useWords()
  const errorText = useErrorText()
  const { to, moving, items } = check
  const [notes, setNotes] = useState(false)
  const start = useMutation({
    mutationFn: () =>
      api.mappings.changeDevices({
        query: { organization },
        body: {
          action: { kind: 'move', token, notes },
          selection,
          label: `${t('devices.bulk.move')} (${moving})`,
        },
      }),
    onSuccess: async ({ id }) => {
      onClose()
      onStarted()
      whenDone(id, organization.replace(/\.\*$/, ''))
      await watchJob('mappings')
    },
  })
  return (
    <ConfirmDialog
      title={t('devices.moveManyVerb', { count: moving })}
      verb={t('devices.moveManyVerb', { count: moving })}
      danger
      typed={to.label}
      pending={start.isPending}
      error={start.error ? errorText(start.error).message : undefined}
      onConfirm={() => start.mutate()}
      onClose={onClose}
    >
      <p>{t('devices.moveManyTo', { count: moving, to: to.label })}</p>
      {check.refused > 0 && <p>{t('devices.moveManyRefused', { count: check.refused })}</p>}
      {check.there > 0 && <p>{t('devices.moveManyThere', { count: check.there })}</p>}
      {check.losingPreset > 0 && (
        <p>{t('devices.moveManyLosing', { count: check.losingPreset, to: to.label })}</p>
      )}
      <MoveItems items={items.filter(({ kind }) => !notes || kind !== 'notes')} to={to.label} />
      <Checkbox
        label={t('devices.moveNotes')}
        checked={notes}
        onChange={(event) => setNotes(event.currentTarget.checked)}
      />
    </ConfirmDialog>
  )
}
