import { PanelSection } from '@longreach/ui/SidePanel'
import { useWords } from '@longreach/ui/use-words'
import { useState } from 'react'
import { useTags } from '../../../parts/devices/devices.ts'
import { LiveBadge } from '../../../parts/live/LiveBadge.tsx'
import { TagChart } from '../../../parts/history/TagChart.tsx'
import { firstChosen, keyTags } from '../../../parts/devices/tags.ts'
import { TagValue } from '../../../parts/devices/TagValue.tsx'
import type { Row } from '../device-rows.ts'
import { DeviceFacts } from '../DeviceFacts.tsx'
import classes from './PanelOverview.module.css'
import { LiveValues } from '../page/LiveValues.tsx'

type Shown = { device: Row }

/** The device at a glance: its key values, their last minutes, and its facts. */
export function PanelOverview({ device }: Shown) {
  const t = useWords()
  const { tags } = useTags(device.deviceId)
  const key = keyTags(tags)
  return (
    <>
      {tags.length > 0 && (
        <PanelSection title={t('devices.lastMinutes')} beside={<LiveBadge />}>
          <TagChart deviceId={device.deviceId} paths={firstChosen(tags)} height={150} start="15m" />
        </PanelSection>
      )}
      {key.length > 0 && (
        <PanelSection title={t('devices.keyValues')}>
          <dl className={classes.keyFacts}>
            {key.map((tag) => (
              <div key={tag.path}>
                <dt title={tag.path}>{tag.name}</dt>
                <dd>
                  <TagValue tag={tag} live={tag.last} connected={device.connected} />
                </dd>
              </div>
            ))}
          </dl>
        </PanelSection>
      )}
      <PanelSection title={t('devices.details')}>
        <DeviceFacts device={device} />
      </PanelSection>
    </>
  )
}

/** All values of the device, with a chart of those that are chosen. */
export function PanelValues({ device }: Shown) {
  const t = useWords()
  const { tags } = useTags(device.deviceId)
  const [picked, setPicked] = useState<string[]>()
  const chosen = picked ?? firstChosen(tags)
  const choose = (path: string) =>
    setPicked(
      chosen.includes(path) ? chosen.filter((one) => one !== path) : [...chosen, path].slice(-4),
    )
  return (
    <>
      {tags.length > 0 && (
        <PanelSection title={t('devices.lastMinutes')} beside={<LiveBadge />}>
          <TagChart deviceId={device.deviceId} paths={chosen} height={150} start="15m" />
        </PanelSection>
      )}
      <PanelSection title={t('devices.values')}>
        <LiveValues
          device={device}
          connected={device.connected}
          chosen={chosen}
          onChoose={choose}
          narrow
          most={40}
        />
      </PanelSection>
    </>
  )
}
