import { FormDialog } from '@longreach/ui/FormDialog'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Select } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { triggersApi } from '../../parts/triggers/triggers-api.ts'
import { besideForm, useErrorText } from '../../parts/words/error-text.ts'
import { type Trigger, useTriggerOrganization } from './trigger-calls.ts'

type Props = { trigger: Trigger; onClose: () => void }

/** Runs the actions of a trigger once for a chosen device, after saying with whose rights and what still holds. */
export function RunTrigger({ trigger, onClose }: Props) {
  const t = useWords()
  const toast = useToast()
  const errorText = useErrorText()
  const here = useTriggerOrganization()
  const [deviceId, setDevice] = useState<string | null>(null)
  const [text, setText] = useState('')
  const [search] = useDebouncedValue(text, 250)
  const { data } = useQuery(
    query(api.mappings.devices, {
      query: { ...here, page: 0, pageSize: 50, ...(search !== '' && { search }) },
    }),
  )
  const run = useMutation({
    mutationFn: (device: string) =>
      triggersApi.runTrigger({
        params: { id: trigger.id },
        query: here,
        body: { deviceId: device },
      }),
    onSuccess: async () => {
      onClose()
      toast({ message: t('trigger-hand.begun') })
      await stale(triggersApi.runsOfTrigger)
    },
  })
  const failure = run.error ? errorText(run.error) : undefined
  const { at, below } = besideForm(failure, ['deviceId'])
  return (
    <FormDialog
      title={t('trigger-hand.title', { name: trigger.name })}
      verb={t('trigger-hand.run')}
      pending={run.isPending}
      error={below}
      onSubmit={() => deviceId !== null && run.mutate(deviceId)}
      onClose={onClose}
    >
      <p>{t('trigger-hand.text', { owner: trigger.owner })}</p>
      <Select
        data-autofocus
        label={t('trigger-hand.device')}
        searchable
        required
        data={(data?.data ?? []).map(({ deviceId: value, label }) => ({ value, label }))}
        value={deviceId}
        error={at['deviceId']}
        onSearchChange={setText}
        onChange={setDevice}
      />
    </FormDialog>
  )
}
