import { useWords } from '@longreach/ui/use-words'
import { Button } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, query } from '../../../parts/api/api.ts'
import { deviceQuery, type TagWithValue, useTags } from '../../../parts/devices/devices.ts'
import { useReach } from '../../../parts/session/reach.ts'
import { useMay } from '../../../parts/session/session.ts'
import { TagChart } from '../../../parts/history/TagChart.tsx'
import { isDrawable } from '../../../parts/devices/tags.ts'
import { TagName, TagValue } from '../../../parts/devices/TagValue.tsx'
import { AssignPresetDialog } from '../AssignPresetDialog.tsx'
import type { Device } from '../device-calls.ts'
import { type Row, useRows } from '../device-rows.ts'
import { QuickPreset } from '../QuickPreset.tsx'
import { ConnectCommands, type IssuedKey } from './ConnectCommands.tsx'
import classes from './connect.module.css'

type Props = { device: Device; issued: IssuedKey; onClose: () => void }
const askEveryMs = 2_000

/** The way of a new device: start, connection, first value; each stage turns green by itself. */
export function ConnectSteps({ device, issued, onClose }: Props) {
  const t = useWords()
  const org = useReach()
  const fresh = useQuery({ ...deviceQuery(org, device.deviceId), refetchInterval: askEveryMs })
  const [row = { ...device, since: undefined }] = useRows([fresh.data?.value ?? device])
  const { seen, arrived } = useArrival(row, issued)
  const announced = useQuery({
    ...query(api.platform.availableTags, { params: { org, deviceId: device.deviceId } }),
    refetchInterval: askEveryMs,
    enabled: row.connected,
  })
  return (
    <div className={classes.dialog}>
      <Progress seen={seen} arrived={arrived !== undefined} />
      <Start issued={issued} seen={seen} />
      {seen && row.presetId === null && !arrived && (
        <section className={classes.part} aria-label={t('devices.step.noPreset')}>
          <strong>{t('devices.step.noPreset')}</strong>
          <QuickPreset device={row} announced={announced.data ?? []} />
        </section>
      )}
      {arrived && <FirstValue deviceId={device.deviceId} tag={arrived} />}
      <NextSteps device={row} arrived={arrived !== undefined} onClose={onClose} />
    </div>
  )
}

/** Connection and first value since the key was made; earlier ones, with another key, do not count. */
function useArrival({ deviceId, connected, since = 0 }: Row, { issuedAt }: IssuedKey) {
  const { tags, pending } = useTags(deviceId)
  const [seen, setSeen] = useState(false)
  const [newestBefore, setNewestBefore] = useState<number>()
  if (!seen && connected && since >= Date.parse(issuedAt)) setSeen(true)
  if (newestBefore === undefined && !pending) {
    setNewestBefore(Math.max(0, ...tags.map(({ last }) => last?.at ?? 0)))
  }
  // By the device's own clock, which may be wrong.
  const fresh = tags.filter(({ last }) => last && last.at > (newestBefore ?? Infinity))
  return { seen, arrived: seen ? firstArrived(fresh) : undefined }
}

/** Commands that start the device; folded once the device is connected. */
function Start({ issued, seen }: { issued: IssuedKey; seen: boolean }) {
  const t = useWords()
  if (!seen) return <ConnectCommands issued={issued} />
  return (
    <details className={classes.again}>
      <summary>{t('devices.step.showCommand')}</summary>
      <ConnectCommands issued={issued} />
    </details>
  )
}

/** The first value that came, one that can be drawn before others. */
const firstArrived = (tags: readonly TagWithValue[]) => {
  const known = tags.filter(({ last }) => last !== undefined)
  return known.find(isDrawable) ?? known[0]
}

/** Progress of the device: started, connected, first value. */
function Progress({ seen, arrived }: { seen: boolean; arrived: boolean }) {
  const t = useWords()
  const stages = [
    { done: seen, title: t('devices.step.run') },
    { done: seen, title: t(seen ? 'devices.step.connected' : 'devices.step.waiting') },
    { done: arrived, title: t(arrived ? 'devices.step.value' : 'devices.step.waitingValue') },
  ]
  const current = stages.findIndex(({ done }) => !done)
  const stateOf = (done: boolean, index: number) => {
    if (done) return 'done'
    return index === current ? 'current' : 'later'
  }
  return (
    <div role="status">
      <ol className={classes.progress}>
        {stages.map(({ done, title }, index) => (
          <li
            // oxlint-disable-next-line react/no-array-index-key -- three stages in a fixed order
            key={index}
            className={classes.stage}
            data-state={stateOf(done, index)}
            aria-current={index === current ? 'step' : undefined}
          >
            <span className={classes.mark} aria-hidden="true">
              {done ? <IconCheck size={16} stroke={2.4} /> : index + 1}
            </span>
            <span>{title}</span>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The first value, and its course as it comes in. */
function FirstValue({ deviceId, tag }: { deviceId: string; tag: TagWithValue }) {
  return (
    <section className={classes.part}>
      <div className={classes.first}>
        <TagName tag={tag} />
        <TagValue tag={tag} live={tag.last} connected={undefined} />
      </div>
      {isDrawable(tag) && (
        <TagChart deviceId={deviceId} paths={[tag.path]} height={170} start="5m" />
      )}
    </section>
  )
}

type NextProps = { device: Device; arrived: boolean; onClose: () => void }

/** Buttons for the next step with the device; opening it is the main one after its first value. */
function NextSteps({ device, arrived, onClose }: NextProps) {
  const t = useWords()
  const may = useMay()
  const [choosing, setChoosing] = useState(false)
  return (
    <div className={classes.buttons}>
      <Button variant="default" onClick={onClose}>
        {t('ui.close')}
      </Button>
      {arrived && may('devices:update') && may('models:read') && (
        <Button variant="default" onClick={() => setChoosing(true)}>
          {t('devices.assign')}
        </Button>
      )}
      <Button
        variant={arrived ? 'filled' : 'default'}
        component={Link}
        to={`/devices/${device.deviceId}`}
        onClick={onClose}
      >
        {t('devices.openPage')}
      </Button>
      {choosing && <AssignPresetDialog device={device} onClose={() => setChoosing(false)} />}
    </div>
  )
}
