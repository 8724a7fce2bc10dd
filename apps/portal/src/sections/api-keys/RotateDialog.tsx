import { FormShell } from '@longreach/ui/FormShell'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Select } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { type ApiKey, keysChanged } from './api-key-calls.ts'
import classes from './api-keys.module.css'
import { KeyShown } from './KeyShown.tsx'
import { ValiditySelect } from './ValiditySelect.tsx'

const overlaps = [0, 1, 24, 168]

/** The next key in the place of this one, which still works while programs change over. */
export function RotateDialog({ apiKey, onClose }: { apiKey: ApiKey; onClose: () => void }) {
  const t = useWords()
  const errorText = useErrorText()
  const [overlap, setOverlap] = useState(24)
  const [validForDays, setValidForDays] = useState(90)
  const rotate = useMutation({
    mutationFn: () =>
      api.core.rotateApiKey({
        params: { org: apiKey.orgResourceId, apiKey: String(apiKey.id) },
        body: { overlapHours: overlap, validForDays },
      }),
    onSuccess: () => void keysChanged(),
  })
  return (
    <Dialog
      onClose={onClose}
      closeOnClickOutside={!rotate.data}
      closeOnEscape={!rotate.data}
      title={t('api-keys.rotateTitle', { label: apiKey.label })}
    >
      {rotate.data ? (
        <KeyShown apiKey={rotate.data} onClose={onClose} />
      ) : (
        <FormShell
          verb={t('api-keys.rotateVerb')}
          pending={rotate.isPending}
          error={rotate.error ? errorText(rotate.error).message : undefined}
          onCancel={onClose}
          onSubmit={() => rotate.mutate()}
        >
          <p className={classes.text}>{t('api-keys.rotateText')}</p>
          <Select
            label={t('api-keys.overlap')}
            data-autofocus
            allowDeselect={false}
            value={String(overlap)}
            data={overlaps.map((hours) => ({
              value: String(hours),
              label: hours === 0 ? t('api-keys.atOnce') : t('api-keys.hours', { hours }),
            }))}
            onChange={(hours) => setOverlap(Number(hours))}
          />
          <ValiditySelect value={validForDays} onChange={setValidForDays} />
        </FormShell>
      )}
    </Dialog>
  )
}
