import { CopyText } from '@longreach/ui/CopyText'
import { StatusDot } from '@longreach/ui/StatusDot'
import { useWords } from '@longreach/ui/use-words'
import { Button, Group, Tabs } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { api, query } from '../../../lib/api.ts'
import { deviceQuery, useTags } from '../../../lib/devices.ts'
import { useReach } from '../../../lib/reach.ts'
import { TagValue } from '../../../lib/TagValue.tsx'
import type { Device } from '../device-calls.ts'
import { useRows } from '../device-columns.tsx'
import classes from '../devices.module.css'
import { QuickPreset } from '../QuickPreset.tsx'

/** What the platform shows once, for the device. */
export type IssuedKey = { activationKey: string; pairingEndpoint: string }

type Props = { device: Device; issued: IssuedKey; onClose: () => void }
const askEveryMs = 2_000

/** The way of a new device: key, connection, preset, first value; each step turns green by itself. */
export function ConnectSteps({ device, issued, onClose }: Props) {
  const t = useWords()
  const org = useReach()
  const fresh = useQuery({ ...deviceQuery(org, device.deviceId), refetchInterval: askEveryMs })
  const [row = { ...device, since: undefined }] = useRows([fresh.data?.value ?? device])
  const { tags } = useTags(device.deviceId)
  const announced = useQuery({
    ...query(api.platform.availableTags, { params: { org, deviceId: device.deviceId } }),
    refetchInterval: askEveryMs,
    enabled: row.connected,
  })
  const arrived = tags.find(({ last }) => last !== undefined)
  const seen = row.connected || arrived !== undefined
  return (
    <ol className={classes.steps}>
      <Step done={seen} title={t('devices.step.run')}>
        <Commands issued={issued} />
      </Step>
      <Step
        done={seen}
        title={seen ? t('devices.step.connected') : t('devices.step.waiting')}
        live
      />
      {seen && row.presetId === null && (
        <Step done={false} title={t('devices.step.noPreset')}>
          <QuickPreset device={row} announced={announced.data ?? []} />
        </Step>
      )}
      <Step
        done={arrived !== undefined}
        title={arrived ? t('devices.step.value') : t('devices.step.waitingValue')}
        live
      >
        {arrived && (
          <span className={classes.bar}>
            <code>{arrived.path}</code>
            <TagValue tag={arrived} live={arrived.last} connected={undefined} />
          </span>
        )}
      </Step>
      <Group justify="flex-end" gap="xs" component="li">
        <Button variant="default" onClick={onClose}>
          {t('ui.close')}
        </Button>
        <Button component={Link} to={`/devices/${device.deviceId}`} onClick={onClose}>
          {t('devices.openPage')}
        </Button>
      </Group>
    </ol>
  )
}

type StepProps = { done: boolean; title: string; live?: boolean; children?: ReactNode }

function Step({ done, title, live = false, children }: StepProps) {
  return (
    <li className={classes.step} data-done={done}>
      <span role={live ? 'status' : undefined}>
        <StatusDot tone={done ? 'ok' : 'off'}>
          <strong>{title}</strong>
        </StatusDot>
      </span>
      {children}
    </li>
  )
}

/** What to type where the device is; the key is in it. */
function Commands({ issued: { activationKey, pairingEndpoint } }: { issued: IssuedKey }) {
  const t = useWords()
  const { origin } = location
  return (
    <>
      <p className={classes.warn}>{t('devices.keyOnce')}</p>
      <CopyText text={activationKey} label={t('devices.key')} />
      <Tabs defaultValue="agent" variant="default">
        <Tabs.List>
          <Tabs.Tab value="agent">{t('devices.way.agent')}</Tabs.Tab>
          <Tabs.Tab value="file">{t('devices.way.file')}</Tabs.Tab>
          <Tabs.Tab value="sdk">{t('devices.way.sdk')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="agent" pt={10}>
          <p className={classes.dim}>{t('devices.way.agentText')}</p>
          <Command
            text={`npm run edge -- --activation-key ${activationKey} --endpoint ${origin}`}
          />
        </Tabs.Panel>
        <Tabs.Panel value="file" pt={10}>
          <p className={classes.dim}>{t('devices.way.fileText')}</p>
          <Command text={fileCommand(origin)} />
          <Command
            text={`EDGE_ACTIVATION_KEY=${activationKey} npm run edge -- --config edge.yaml`}
          />
        </Tabs.Panel>
        <Tabs.Panel value="sdk" pt={10}>
          <p className={classes.dim}>{t('devices.way.sdkText')}</p>
          <Command text={`ACTIVATION_KEY=${activationKey}\nPAIRING_ENDPOINT=${pairingEndpoint}`} />
        </Tabs.Panel>
      </Tabs>
    </>
  )
}

const fileCommand = (origin: string) => `cat > edge.yaml <<'END'
endpoint: ${origin}
sources:
  - type: modbus
    name: plc
    host: 192.168.0.10
    tags:
      - { name: temperature, area: holding, address: 0, type: float32 }
END`

function Command({ text }: { text: string }) {
  const t = useWords()
  return (
    <div className={classes.command}>
      <CopyText text={text} label={t('devices.command')} />
    </div>
  )
}
