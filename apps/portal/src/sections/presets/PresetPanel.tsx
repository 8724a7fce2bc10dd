import { late } from '@longreach/ui/late'
import { CopyText } from '@longreach/ui/CopyText'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { Facts, PanelSection, SidePanel } from '@longreach/ui/SidePanel'
import { useToast } from '@longreach/ui/Toasts'
import { useWords } from '@longreach/ui/use-words'
import { Anchor, Button, Switch } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, query } from '../../parts/api/api.ts'
import { saveFile } from '../../parts/tables/save-file.ts'
import { useErrorText } from '../../parts/words/error-text.ts'
import { queries } from '../../parts/api/queries.ts'
import { useReach } from '../../parts/session/reach.ts'
import { useMay, useSession } from '../../parts/session/session.ts'
import { presetQuery, presetsChanged, useHere } from './preset-calls.ts'
import { type PresetLine, UseState } from './preset-columns.tsx'
import shared from './presets.module.css'
import classes from './PresetPanel.module.css'
import { ContentPending } from '../../parts/pages/ContentPending.tsx'
import { linkTo } from '../../parts/pages/page-links.ts'

const AssignDialog = late(() => import('./AssignDialog.tsx'), 'AssignDialog')
const DeletePreset = late(() => import('./DeletePreset.tsx'), 'DeletePreset')

type Props = { preset: PresetLine; onClose: () => void }

/** A preset beside the list: who uses it, how far they are, and what can be done. */
export function PresetPanel({ preset, onClose }: Props) {
  const t = useWords()
  const may = useMay()
  const [dialog, setDialog] = useState<'assign' | 'delete'>()
  const { id, name, use } = preset
  const own = useSession().organization.resourceId === preset.orgResourceId
  const close = () => setDialog(undefined)
  return (
    <SidePanel
      title={name}
      facts={<UseState use={use} />}
      actions={
        <>
          <Button component={Link} to={`/presets/${id}`}>
            {t(own && may('models:update') ? 'presets.edit' : 'presets.look')}
          </Button>
          {may('devices:update') && (
            <Button variant="default" onClick={() => setDialog('assign')}>
              {t('presets.assign')}
            </Button>
          )}
        </>
      }
      onClose={onClose}
    >
      <PanelSection title={t('presets.devices')}>
        {may('devices:read') ? <Users presetId={id} /> : null}
      </PanelSection>
      <PanelSection title={t('presets.facts')}>
        <Facts
          items={[
            { label: t('presets.id'), value: <CopyText text={id} label={t('presets.id')} /> },
            { label: t('presets.model'), value: <ModelLink preset={preset} /> },
            { label: t('presets.organization'), value: <code>{preset.orgResourceId}</code> },
            { label: t('presets.created'), value: <RelativeTime at={preset.creationDate} /> },
            { label: t('presets.updated'), value: <RelativeTime at={preset.updatedAt} /> },
          ]}
        />
        {own && may('models:update') && <Sharing preset={preset} />}
      </PanelSection>
      <PanelSection>
        <div className={shared.bar}>
          <ExportFile preset={preset} />
          {own && may('models:delete') && (
            <Button variant="default" onClick={() => setDialog('delete')}>
              {t('presets.delete')}
            </Button>
          )}
        </div>
      </PanelSection>
      {dialog === 'assign' && <AssignDialog preset={preset} onClose={close} />}
      {dialog === 'delete' && <DeletePreset preset={preset} onClose={close} onDeleted={onClose} />}
    </SidePanel>
  )
}

function ModelLink({ preset: { modelId, modelName, version } }: { preset: PresetLine }) {
  return (
    <Anchor component={Link} to={`/models/${modelId}`} inherit>
      {`${modelName} ${version}`}
    </Anchor>
  )
}

function ExportFile({ preset: { id, name } }: { preset: PresetLine }) {
  const t = useWords()
  const { organization } = useHere()
  const toast = useToast()
  const errorText = useErrorText()
  const save = useMutation({
    mutationFn: () => queries.fetchQuery({ ...presetQuery(organization, id), staleTime: 0 }),
    onSuccess: ({ value }) =>
      saveFile(
        `${name}.json`,
        [JSON.stringify({ name, data: value.json }, null, 2)],
        'application/json',
      ),
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <Button variant="default" loading={save.isPending} onClick={() => save.mutate()}>
      {t('presets.export')}
    </Button>
  )
}

function Sharing({ preset }: { preset: PresetLine }) {
  const t = useWords()
  const here = useHere()
  const toast = useToast()
  const errorText = useErrorText()
  const share = useMutation({
    mutationFn: (data: boolean) =>
      api.mappings.sharePreset({ params: { id: preset.id }, query: here, body: { data } }),
    onSuccess: presetsChanged,
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  return (
    <Switch
      mt={10}
      label={t('presets.share')}
      checked={share.isPending ? share.variables : preset.subOrgsEnabledToView}
      onChange={(event) => share.mutate(event.currentTarget.checked)}
    />
  )
}

const mostUsers = 100

/** Devices with the preset, those that have not taken it over first, with the way out. */
function Users({ presetId }: { presetId: string }) {
  const t = useWords()
  const organization = useReach()
  const asked = { organization, presetId, page: 0, pageSize: mostUsers }
  const { data, error, refetch } = useQuery({
    ...query(api.mappings.devices, { query: asked }),
    refetchInterval: 5_000,
  })
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={3} />
  if (data.data.length === 0) return <p className={shared.dim}>{t('presets.noDevices')}</p>
  const weight = (one: (typeof data.data)[number]) =>
    one.configurationError ? 0 : one.configurationApplied ? 2 : 1
  const devices = data.data.toSorted((a, b) => weight(a) - weight(b))
  return (
    <ul className={classes.users}>
      {devices.map((device) => (
        <li key={device.deviceId}>
          <Anchor component={Link} to={`/devices/${device.deviceId}`} inherit>
            {device.label}
          </Anchor>
          <DeviceState device={device} />
        </li>
      ))}
      {data.totalElements > devices.length && (
        <li className={shared.dim}>
          {t('presets.moreDevices', { count: data.totalElements - devices.length })}
        </li>
      )}
    </ul>
  )
}

type Device = {
  deviceId: string
  configurationError: string | null
  configurationApplied: boolean
  configurationSent: boolean
}

function DeviceState({ device }: { device: Device }) {
  const t = useWords()
  const may = useMay()
  const toast = useToast()
  const here = { organization: useReach() }
  const errorText = useErrorText()
  const { deviceId, configurationError, configurationApplied, configurationSent } = device
  const resend = useMutation({
    mutationFn: () => api.mappings.resendConfiguration({ params: { id: deviceId }, query: here }),
    onSuccess: presetsChanged,
    onError: (error) => toast({ kind: 'failed', message: errorText(error).message }),
  })
  if (configurationApplied) return <span className={shared.dim}>{t('presets.applied')}</span>
  const state = configurationError
    ? t('presets.notTaken')
    : t(configurationSent ? 'presets.sent' : 'presets.waiting')
  const difference = linkTo('/devices/$deviceId', {
    params: { deviceId },
    search: { tab: 'configuration' },
  })
  return (
    <span className={shared.bar}>
      <span title={configurationError ?? undefined}>{state}</span>
      {configurationError && (
        <Anchor component={Link} {...difference} inherit>
          {t('presets.difference')}
        </Anchor>
      )}
      {may('devices:update') && (
        <Button size="compact-xs" variant="default" onClick={() => resend.mutate()}>
          {t('presets.resend')}
        </Button>
      )}
    </span>
  )
}
