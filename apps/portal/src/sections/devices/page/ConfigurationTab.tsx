import { ErrorPanel } from '@longreach/ui/ErrorPanel'
import { Panel } from '@longreach/ui/PageHeader'
import { RelativeTime } from '@longreach/ui/RelativeTime'
import { useWords } from '@longreach/ui/use-words'
import { Anchor } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api, query } from '../../../parts/api/api.ts'
import { configurationQuery } from '../../../parts/devices/devices.ts'
import { PresetLink } from '../PresetLink.tsx'
import { useReach } from '../../../parts/session/reach.ts'
import { one, useSearch } from '../../../parts/pages/use-search.ts'
import { AvailableTags } from '../sources/AvailableTags.tsx'
import { ConfigurationActions } from './ConfigurationActions.tsx'
import { ConfigurationDiff } from './ConfigurationDiff.tsx'
import { ConfigurationHistory } from './ConfigurationHistory.tsx'
import { ConfigurationState } from '../ConfigurationState.tsx'
import type { Row } from '../device-rows.ts'
import classes from './device-page.module.css'
import { ContentPending } from '../../../parts/pages/ContentPending.tsx'

/** Tab of the wanted configuration beside the reported one, the earlier ones, and the values on offer. */
export function ConfigurationTab({ device }: { device: Row }) {
  const t = useWords()
  const org = useReach()
  const [search, change] = useSearch()
  const against = Number(one(search['against'])) || undefined
  const { deviceId } = device
  const { data, error, refetch } = useQuery({
    ...configurationQuery(org, deviceId),
    refetchInterval: 10_000,
  })
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={12} />
  return (
    <div className={classes.stack}>
      <Panel title={t('devices.configuration')} beside={<ConfigurationState device={device} />}>
        <dl className={classes.facts}>
          <dt>{t('devices.preset')}</dt>
          <dd>
            <PresetLink preset={device} deviceId={device.deviceId} none={t('devices.noPreset')} />
          </dd>
          <dt>{t('devices.sentAt')}</dt>
          <dd>
            <RelativeTime at={data.sentAt} />
          </dd>
        </dl>
        {data.error && <Trouble message={data.error} device={device} />}
        <ConfigurationActions device={device} />
      </Panel>
      <Panel title={t('device-page.comparison')}>
        {against === undefined ? (
          <WantedAndReported {...data} />
        ) : (
          <WithVersion deviceId={deviceId} version={against} wanted={data.configurationJson} />
        )}
      </Panel>
      <ConfigurationHistory
        deviceId={deviceId}
        compared={against}
        onCompare={(version) => void change({ against: version })}
      />
      <AvailableTags deviceId={deviceId} />
    </div>
  )
}

/** Why the device does not do what it shall, and what to do about it. */
function Trouble({ message, device }: { message: string; device: Row }) {
  const t = useWords()
  const [, change] = useSearch()
  return (
    <>
      <ErrorPanel message={message} />
      <p>
        {t(device.connected ? 'device-page.troubleOnline' : 'device-page.troubleOffline')}{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() =>
            void change({ tab: 'service', part: 'log', system: 'true' }, { push: true })
          }
        >
          {t('device-page.openLog')}
        </Anchor>
      </p>
    </>
  )
}

type Both = { configurationJson?: unknown; configurationFromDevice?: unknown; applied: boolean }

function WantedAndReported({ configurationJson: wanted, configurationFromDevice: reported }: Both) {
  const t = useWords()
  if (isNothing(wanted)) return <p className={classes.dim}>{t('devices.config.noneText')}</p>
  return (
    <>
      {isNothing(reported) && <p className={classes.dim}>{t('devices.config.notReported')}</p>}
      <ConfigurationDiff
        first={wanted}
        second={isNothing(reported) ? undefined : reported}
        titles={[t('devices.config.wanted'), t('devices.config.reported')]}
      />
    </>
  )
}

const isNothing = (value: unknown) => value === null || value === undefined || value === ''

type Versioned = { deviceId: string; version: number; wanted: unknown }

function WithVersion({ deviceId, version, wanted }: Versioned) {
  const t = useWords()
  const org = useReach()
  const { data, error, refetch } = useQuery({
    ...query(api.platform.configurationVersion, {
      params: { org, deviceId, version: String(version) },
    }),
    staleTime: Infinity,
  })
  if (error || !data) return <ContentPending {...{ error, refetch }} rows={12} />
  return (
    <ConfigurationDiff
      first={wanted}
      second={data.configurationJson}
      titles={[t('devices.config.wanted'), t('device-page.versionNumber', { version })]}
    />
  )
}
