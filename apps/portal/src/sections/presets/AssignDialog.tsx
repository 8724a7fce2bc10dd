import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { useWords } from '@longreach/ui/use-words'
import { Dialog } from '@longreach/ui/Dialog'
import { Button, Group, MultiSelect, SegmentedControl, Select } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { JobProgress } from '../../parts/jobs/JobProgress.tsx'
import { useJob, watchJob } from '../../parts/jobs/jobs.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useSession } from '../../parts/session/session.ts'
import { useDeviceOptions } from './device-options.ts'
import { type Preset, presetsChanged, useUses } from './preset-calls.ts'
import { UseState } from './preset-columns.tsx'
import classes from './presets.module.css'

type Props = {
  preset: Pick<Preset, 'id' | 'name'>
  onClose: () => void
  first?: string | undefined
}

/** Gives a preset to devices or a group as a job, and shows how they take it over. */
export function AssignDialog({ preset, onClose, first }: Props) {
  const t = useWords()
  const errorText = useErrorText()
  const organization = useReach()
  const [to, setTo] = useState<'devices' | 'group'>('devices')
  const [devices, setDevices] = useState<string[]>(first ? [first] : [])
  const [group, setGroup] = useState<string | null>(null)
  const assign = useMutation({
    mutationFn: async () => {
      const asked = { organization }
      const job =
        to === 'devices'
          ? await api.mappings.givePreset({
              params: { id: preset.id },
              query: asked,
              body: { deviceIds: devices },
            })
          : await api.mappings.configureGroup({
              params: { group: group ?? '' },
              query: asked,
              body: { presetId: preset.id },
            })
      return job.id
    },
    onSuccess: async () => {
      await watchJob('mappings')
      await presetsChanged()
    },
  })
  const ready = to === 'devices' ? devices.length > 0 : group !== null
  return (
    <Dialog onClose={onClose} title={t('presets.assignTitle', { name: preset.name })}>
      <div className={classes.stack}>
        {assign.data === undefined ? (
          <>
            <SegmentedControl
              aria-label={t('presets.assignTo')}
              value={to}
              onChange={(value) => setTo(value === 'group' ? 'group' : 'devices')}
              data={[
                { value: 'devices', label: t('presets.toDevices') },
                { value: 'group', label: t('presets.toGroup') },
              ]}
            />
            {to === 'devices' ? (
              <DevicesSelect value={devices} onChange={setDevices} />
            ) : (
              <GroupSelect value={group} onChange={setGroup} />
            )}
            <p className={classes.dim}>{t('presets.assignText')}</p>
            {assign.error && <ErrorPanel {...errorText(assign.error)} />}
          </>
        ) : (
          <Progress presetId={preset.id} jobId={assign.data} />
        )}
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onClose}>
            {t(assign.data === undefined ? 'ui.cancel' : 'ui.close')}
          </Button>
          {assign.data === undefined && (
            <Button disabled={!ready} loading={assign.isPending} onClick={() => assign.mutate()}>
              {t('presets.assignVerb')}
            </Button>
          )}
        </Group>
      </div>
    </Dialog>
  )
}

function Progress({ presetId, jobId }: { presetId: string; jobId: string }) {
  const t = useWords()
  const { data } = useJob('mappings', jobId)
  const use = useUses([presetId]).get(presetId)
  return (
    <>
      {data && <JobProgress job={{ ...data, service: 'mappings' }} />}
      <p role="status" className={classes.bar}>
        {t('presets.confirmations', { applied: use?.applied ?? 0, devices: use?.devices ?? 0 })}
        <UseState use={use} />
      </p>
    </>
  )
}

type DevicesProps = { value: string[]; onChange: (ids: string[]) => void }

function DevicesSelect({ value, onChange }: DevicesProps) {
  const t = useWords()
  const { options, setText } = useDeviceOptions()
  const [known, setKnown] = useState(new Map<string, string>())
  const data = [
    ...options,
    ...value
      .filter((id) => !options.some((one) => one.value === id))
      .map((id) => ({ value: id, label: known.get(id) ?? id })),
  ]
  const choose = (ids: string[]) => {
    setKnown(new Map(data.map((one) => [one.value, one.label])))
    onChange(ids)
  }
  return (
    <MultiSelect
      label={t('presets.devices')}
      searchable
      data={data}
      value={value}
      onChange={choose}
      onSearchChange={setText}
      nothingFoundMessage={t('presets.noDeviceFound')}
      openOnFocus={false}
      data-autofocus
    />
  )
}

type GroupProps = { value: string | null; onChange: (group: string | null) => void }

function GroupSelect({ value, onChange }: GroupProps) {
  const t = useWords()
  const org = useSession().organization.resourceId
  const { data } = useQuery(query(api.core.securityPolicies, { params: { org }, query: {} }))
  const options = (data?.content ?? []).map(({ id, name }) => ({ value: String(id), label: name }))
  return (
    <Select
      label={t('presets.group')}
      searchable
      data={options}
      value={value}
      onChange={onChange}
      nothingFoundMessage={t('presets.noGroupFound')}
    />
  )
}
