import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Button, Select, TextInput } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query, stale } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { makePreset } from '../../parts/presets/make-preset.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import classes from './walkthrough.module.css'
import { type Device, isReady, readyModels, readyNames, type Walk } from './walkthrough-url.ts'
import type { StepProps } from './walkthrough-url.ts'

type Props = StepProps & { device: Device | undefined }

/** The device's name and its model. Once it is made, this step renames it. */
export function NameStep({ walk, change, go, device }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const save = useSave(walk, device, (id) => go(3, { device: id, name: undefined }))
  const [missing, setMissing] = useState(false)
  const failure = save.error ? errorText(save.error) : undefined
  const atName = failure?.fields['label']
  const name = walk.name === '' ? (device?.label ?? '') : walk.name
  return (
    <form
      className={classes.content}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setMissing(name.trim() === '')
        if (name.trim() === '') event.currentTarget.querySelector('input')?.focus()
        else save.mutate(name.trim())
      }}
    >
      <TextInput
        data-autofocus
        label={t('devices.label')}
        description={t('walkthrough.nameHelp')}
        maxLength={200}
        value={name}
        error={missing && name.trim() === '' ? t('walkthrough.nameMissing') : atName}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
      {!device && <ModelChoice walk={walk} change={change} />}
      {failure && atName === undefined && <ErrorPanel {...failure} />}
      <div className={classes.bar}>
        <Button variant="default" onClick={() => go(1)}>
          {t('walkthrough.back')}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t(device ? 'walkthrough.next' : 'walkthrough.make')}
        </Button>
      </div>
    </form>
  )
}

function useSave(walk: Walk, device: Device | undefined, onDone: (id: string) => void) {
  const organization = useSession().organization.resourceId
  const reach = useReach()
  return useMutation({
    mutationFn: async (label: string) => {
      if (!device) {
        const presetId = await presetOf(organization, walk.model)
        const body = { label, presetId }
        return (await api.mappings.createDevice({ query: { organization }, body })).deviceId
      }
      if (label !== device.label) {
        const params = { id: device.deviceId }
        await api.mappings.updateDevice({ params, query: { organization: reach }, body: { label } })
      }
      return device.deviceId
    },
    onSuccess: async (id) => {
      onDone(id)
      await Promise.all([stale(api.mappings.devices), stale(api.mappings.device)])
    },
  })
}

/** The preset that a choice of model means; a ready-made one is made at its first use. */
async function presetOf(organization: string, model: string) {
  if (isReady(model)) return makePreset(organization, `Ready ${model}`, readyModels[model])
  return model.startsWith('preset:') ? model.slice('preset:'.length) : null
}

function ModelChoice({ walk, change }: Pick<StepProps, 'walk' | 'change'>) {
  const t = useWords()
  const may = useMay()
  const organization = useReach()
  const { data } = useQuery(
    query(api.mappings.presets, { query: { organization, page: 0, pageSize: 100 } }),
  )
  const known = (data?.data ?? []).map(({ id, name }) => ({ value: `preset:${id}`, label: name }))
  const ready = readyNames.map((value) => ({ value, label: t(`walkthrough.model.${value}`) }))
  return (
    <Select
      label={t('walkthrough.model')}
      description={t('walkthrough.modelHelp')}
      searchable={known.length > 5}
      allowDeselect={false}
      value={walk.model === '' ? 'later' : walk.model}
      data={[
        { value: 'later', label: t('walkthrough.modelLater') },
        ...(may('models:create') ? [{ group: t('walkthrough.readyModels'), items: ready }] : []),
        ...(known.length > 0 ? [{ group: t('walkthrough.ownModels'), items: known }] : []),
      ]}
      onChange={(model) => change({ model: model === 'later' || model === null ? '' : model })}
    />
  )
}
